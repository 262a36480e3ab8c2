import { addCounts, type Counts, countsOfEdge } from '../../graph/counts.ts';
import { type Edge, foldRecord, type RecordOp } from '../../graph/fold-record.ts';
import type { Relation } from '../../graph/relation.ts';
import type { Opcode } from '../../protocol/list-op.ts';
import type { Subjects } from '../stored-log.ts';
import type { CollectedLogs, OpColumns } from './collected-logs.ts';
import type { RegisterState } from './fold-registers.ts';
import { float64, groupBy, groupOf, int32, type Numbers, uint8 } from './numbers.ts';

/** The whole graph in memory, accounts as small numbers. */
export interface Graph {
  /** By account. */
  readonly counts: Counts[];
  readonly activeLists: (string | null)[];
  /** By slot: the account whose active slot it is, or `NOBODY`. */
  readonly accountOf: Int32Array;
  readonly edges: EdgeColumns;
}

interface EdgeColumns {
  readonly source: Numbers<Int32Array>;
  readonly target: Numbers<Int32Array>;
  /** Index into `RELATIONS`. */
  readonly relation: Numbers<Uint8Array>;
  readonly time: Numbers<Float64Array>;
  /** Of the edges that have any. */
  readonly tags: Map<number, readonly string[]>;
}

export const NOBODY = -1;
export const RELATIONS: readonly Relation[] = ['follow', 'mute', 'block'];

/** Folds every active slot once. */
export function foldGraph(collected: CollectedLogs, subjects: Subjects, { accounts }: RegisterState): Graph {
  const { ops } = collected;
  const graph: Graph = {
    counts: [],
    activeLists: [],
    accountOf: new Int32Array(subjects.end).fill(NOBODY),
    edges: { source: int32(), target: int32(), relation: uint8(), time: float64(), tags: new Map() },
  };
  const active: [account: number, slot: number][] = [];
  for (const [address, { active: list }] of accounts) {
    if (list === null) continue;
    const account = collected.idOf(address);
    const slot = subjects.requireId(list.slot);
    graph.activeLists[account] = list.list;
    graph.accountOf[slot] = account;
    active.push([account, slot]);
  }
  for (const _ of collected.addresses)
    graph.counts.push({ followers: 0, following: 0, mutuals: 0, blocks: 0, top8: 0 });

  const bySlot = groupBy(ops.slot, subjects.end);
  for (const [account, slot] of active) {
    const positions = groupOf(bySlot, slot);
    positions.sort((a, b) => ops.record.at(a) - ops.record.at(b) || compareMoments(ops, a, b));
    for (let start = 0; start < positions.length; ) {
      const record = ops.record.at(positions[start] as number);
      let end = start + 1;
      while (end < positions.length && ops.record.at(positions[end] as number) === record) end += 1;
      // An account's record of itself is no edge.
      if (record !== account) addEdge(graph, account, record, foldRecord(opsAt(ops, positions.subarray(start, end))));
      start = end;
    }
  }
  return graph;
}

/** Orders ops of one chain. */
export function compareMoments({ block, index }: OpColumns, a: number, b: number): number {
  return block.at(a) - block.at(b) || index.at(a) - index.at(b);
}

function opsAt({ opcode, time, extras }: OpColumns, positions: Int32Array): RecordOp[] {
  return Array.from(positions, (at) => ({
    // Safe: the column holds what was decoded as an opcode.
    opcode: opcode.at(at) as Opcode,
    time: time.at(at),
    tag: extras.get(at)?.tag ?? '',
  }));
}

function addEdge({ edges, counts }: Graph, source: number, target: number, edge: Edge | null): void {
  if (edge === null) return;
  const delta = countsOfEdge(edge);
  addCounts(counts[source] as Counts, delta.source, 1);
  addCounts(counts[target] as Counts, delta.target, 1);
  if (edge.tags.length > 0) edges.tags.set(edges.source.length, edge.tags);
  edges.source.push(source);
  edges.target.push(target);
  edges.relation.push(RELATIONS.indexOf(edge.relation));
  edges.time.push(edge.time);
}
