import { setImmediate } from 'node:timers/promises';
import { addCounts, type Counts, countsOfEdge } from '../../graph/counts.ts';
import { type Edge, foldRecord, type RecordOp } from '../../graph/fold-record.ts';
import type { Relation } from '../../graph/relation.ts';
import type { Opcode } from '../../protocol/list-op.ts';
import { type ActiveSlots, NO_ACCOUNT } from './active-slots.ts';
import type { CollectedLogs, OpColumns } from './collected-logs.ts';
import { float64, groupBy, groupOf, int32, type Numbers, uint8 } from './numbers.ts';

/** The whole graph in memory, with accounts as ids. */
export interface Graph {
  /** By account. */
  readonly counts: Counts[];
  readonly edges: EdgeColumns;
}

interface EdgeColumns {
  readonly source: Numbers<Int32Array>;
  readonly target: Numbers<Int32Array>;
  /** Index into `RELATIONS`. */
  readonly relation: Numbers<Uint8Array>;
  readonly time: Numbers<Float64Array>;
  /** By edge, only for edges with tags. */
  readonly tags: Map<number, readonly string[]>;
}

export const RELATIONS: readonly Relation[] = ['follow', 'mute', 'block'];

/** Slots per turn of the event loop: a few milliseconds. */
const SLICE = 100;

/** Folds every active slot. Yields to the event loop now and then, so that concurrent writes go on. */
export async function foldGraph({ ops, addresses }: CollectedLogs, { accountOf }: ActiveSlots): Promise<Graph> {
  const graph: Graph = {
    counts: addresses.map(() => ({ followers: 0, following: 0, mutuals: 0, blocks: 0, top8: 0 })),
    edges: { source: int32(), target: int32(), relation: uint8(), time: float64(), tags: new Map() },
  };
  const bySlot = groupBy(ops.slot, accountOf.length);
  let folded = 0;
  for (const [slot, account] of accountOf.entries()) {
    if (account === NO_ACCOUNT) continue;
    foldSlot(graph, ops, account, groupOf(bySlot, slot));
    if (++folded % SLICE === 0) await setImmediate();
  }
  return graph;
}

function foldSlot(graph: Graph, ops: OpColumns, account: number, positions: Int32Array): void {
  positions.sort((a, b) => ops.record.at(a) - ops.record.at(b) || compareMoments(ops, a, b));
  for (let start = 0; start < positions.length; ) {
    const record = ops.record.at(positions[start] as number);
    let end = start + 1;
    while (end < positions.length && ops.record.at(positions[end] as number) === record) end += 1;
    // A record of the account itself is no edge.
    if (record !== account) addEdge(graph, account, record, foldRecord(opsAt(ops, positions.subarray(start, end))));
    start = end;
  }
}

/** Compares the positions of ops on one chain. */
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
