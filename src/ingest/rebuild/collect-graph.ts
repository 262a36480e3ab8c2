import { addCounts, type Counts, countsOfEdge } from '../../graph/counts.ts';
import { foldRecord } from '../../graph/fold-record.ts';
import type { Relation } from '../../graph/relation.ts';
import type { Address, Hex } from '../../protocol/hex.ts';
import { OPCODES } from '../../protocol/list-op.ts';
import type { Transaction } from '../../store/store.ts';
import { CellReader, type DatedOp, datedOps, recordsOf } from '../change.ts';
import { float64, int32, type Numbers, uint8 } from './numbers.ts';
import type { RegisterState } from './read-registers.ts';

/** The whole graph in memory, accounts as small numbers, one place per edge and per op. */
export interface CollectedGraph {
  readonly addresses: Address[];
  /** By account. */
  readonly counts: Counts[];
  readonly activeLists: (string | null)[];
  readonly edges: EdgeColumns;
  readonly ops: OpColumns;
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

interface OpColumns {
  readonly source: Numbers<Int32Array>;
  readonly target: Numbers<Int32Array>;
  readonly time: Numbers<Float64Array>;
  readonly chain: Numbers<Float64Array>;
  readonly block: Numbers<Float64Array>;
  readonly index: Numbers<Int32Array>;
  readonly opcode: Numbers<Uint8Array>;
  /** Of the ops that carry more than opcode and record. */
  readonly extras: Map<number, { readonly tag: string; readonly raw: Hex }>;
}

export const RELATIONS: readonly Relation[] = ['follow', 'mute', 'block'];

/** Slots per read. */
const CHUNK = 1_000;

export async function collectGraph(
  tx: Transaction,
  { accounts }: RegisterState,
  onProgress: (logs: number) => void,
): Promise<CollectedGraph> {
  const graph: CollectedGraph = {
    addresses: [],
    counts: [],
    activeLists: [],
    edges: { source: int32(), target: int32(), relation: uint8(), time: float64(), tags: new Map() },
    ops: {
      source: int32(),
      target: int32(),
      time: float64(),
      chain: float64(),
      block: float64(),
      index: int32(),
      opcode: uint8(),
      extras: new Map(),
    },
  };
  const ids = new Map<Address, number>();
  const idOf = (address: Address) => {
    let id = ids.get(address);
    if (id === undefined) {
      ids.set(address, (id = graph.addresses.push(address) - 1));
      graph.counts.push({ followers: 0, following: 0, mutuals: 0, blocks: 0, top8: 0 });
      graph.activeLists.push(null);
    }
    return id;
  };

  const active = [...accounts].flatMap(([account, { active: list }]) => (list === null ? [] : [{ account, ...list }]));
  const reader = new CellReader(tx);
  for (let i = 0; i < active.length; i += CHUNK) {
    const chunk = active.slice(i, i + CHUNK);
    const cells = await reader.readSubjects(chunk.map(({ slot }) => slot));
    for (const { account, list, slot } of chunk) {
      const source = idOf(account);
      graph.activeLists[source] = list;
      for (const [record, logs] of recordsOf(cells, slot, account)) {
        addRecord(graph, source, idOf(record), datedOps(logs));
      }
    }
    onProgress(graph.ops.source.length);
  }
  return graph;
}

function addRecord({ edges, ops, counts }: CollectedGraph, source: number, target: number, record: DatedOp[]): void {
  for (const op of record) addOp(ops, source, target, op);
  const edge = foldRecord(record);
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

function addOp(ops: OpColumns, source: number, target: number, { log, opcode, tag, raw, record, time }: DatedOp): void {
  if (raw !== plainOp(opcode, record)) ops.extras.set(ops.source.length, { tag, raw });
  ops.source.push(source);
  ops.target.push(target);
  ops.time.push(time);
  ops.chain.push(log.row.chain_id);
  ops.block.push(log.row.block_number);
  ops.index.push(log.row.log_index);
  ops.opcode.push(opcode);
}

/** What follow and unfollow look like when nothing is appended to them: nearly all ops. */
export function plainOp(opcode: number, record: Address): Hex | null {
  const isPlain = opcode === OPCODES.follow || opcode === OPCODES.unfollow;
  return isPlain ? `0x010${opcode}0101${record.slice(2)}` : null;
}
