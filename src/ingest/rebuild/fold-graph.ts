import { setImmediate } from 'node:timers/promises';
import { addCounts, type Counts, countsOfEdge } from '../../graph/counts.ts';
import { type Edge, foldRecord, type RecordOp } from '../../graph/fold-record.ts';
import { mintsOf } from '../../graph/mints.ts';
import { RELATION_CODES, RELATIONS } from '../../graph/relation.ts';
import type { Opcode } from '../../protocol/list-op.ts';
import { NO_ACCOUNT, type OpColumns, type TransferColumns } from './collected-logs.ts';
import { float64, groupBy, groupOf, int32, uint8 } from './numbers.ts';
import type { RowInputs } from './row-inputs.ts';

/** The whole graph in memory. Accounts and slots are ids. */
export interface Graph {
  /** By account. */
  readonly counts: AccountCounts[];
  readonly records: RecordColumns;
}

interface AccountCounts extends Counts {
  listed: number;
  minted: number;
}

/** The present records of all slots, in order of slot. */
const blankRecords = () => ({
  slot: int32(),
  /** The account that the record names. */
  account: int32(),
  /** See `RELATION_CODES`. */
  relation: uint8(),
  time: float64(),
  /** By record, only for records with tags. */
  tags: new Map<number, readonly string[]>(),
});
type RecordColumns = ReturnType<typeof blankRecords>;

/** Slots per turn of the event loop: a few milliseconds. */
const SLICE = 100;

/** Folds every slot. Yields to the event loop now and then, so that concurrent writes go on. */
export async function foldGraph({ collected: { ops, transfers }, accountOf, accounts }: RowInputs): Promise<Graph> {
  const counts: AccountCounts[] = [];
  for (const account of accounts) counts[account] = blankCounts();
  const graph: Graph = { counts, records: blankRecords() };
  countMints(graph, transfers, accountOf.length);
  const bySlot = groupBy(ops.slot, accountOf.length);
  let folded = 0;
  for (const [slot, account] of accountOf.entries()) {
    const positions = groupOf(bySlot, slot);
    if (positions.length === 0) continue;
    foldSlot(graph, ops, slot, account, positions);
    if (++folded % SLICE === 0) await setImmediate();
  }
  return graph;
}

function blankCounts(): AccountCounts {
  return { followers: 0, following: 0, mutuals: 0, blocks: 0, top8: 0, listed: 0, minted: 0 };
}

function countMints({ counts }: Graph, transfers: TransferColumns, subjects: number): void {
  const byList = groupBy(transfers.list, subjects);
  for (let list = 0; list < subjects; list++) {
    const positions = groupOf(byList, list).sort((a, b) => compareMoments(transfers, a, b));
    const owners = Array.from(positions, (at) => (transfers.to.at(at) === NO_ACCOUNT ? null : transfers.to.at(at)));
    // Safe, here and below: there are counts for every account.
    for (const account of mintsOf(owners)) (counts[account] as AccountCounts).minted += 1;
  }
}

function foldSlot(graph: Graph, ops: OpColumns, slot: number, account: number, positions: Int32Array): void {
  positions.sort((a, b) => ops.record.at(a) - ops.record.at(b) || compareMoments(ops, a, b));
  for (let start = 0; start < positions.length; ) {
    const record = ops.record.at(positions[start] as number);
    let end = start + 1;
    while (end < positions.length && ops.record.at(positions[end] as number) === record) end += 1;
    const edge = foldRecord(opsAt(ops, positions.subarray(start, end)));
    if (edge !== null) {
      addRecord(graph, slot, record, edge);
      // A record of the account itself is no edge.
      if (account !== NO_ACCOUNT && record !== account) countEdge(graph, account, record, edge);
    }
    start = end;
  }
}

/** Compares the positions of logs on one chain. */
export function compareMoments(
  { block, index }: Pick<OpColumns | TransferColumns, 'block' | 'index'>,
  a: number,
  b: number,
): number {
  return block.at(a) - block.at(b) || index.at(a) - index.at(b);
}

function opsAt({ opcode, time, tags }: OpColumns, positions: Int32Array): RecordOp[] {
  return Array.from(positions, (at) => ({
    // Safe: the column holds what was decoded as an opcode.
    opcode: opcode.at(at) as Opcode,
    time: time.at(at),
    tag: tags.get(at) ?? '',
  }));
}

const NO_TAGS: readonly string[] = [];

export function edgeAt({ relation, tags, time }: RecordColumns, record: number): Edge {
  // Safe: the column holds the code of a relation.
  const known = RELATIONS[relation.at(record)] as Edge['relation'];
  return { relation: known, tags: tags.get(record) ?? NO_TAGS, time: time.at(record) };
}

function addRecord({ records, counts }: Graph, slot: number, account: number, edge: Edge): void {
  (counts[account] as AccountCounts).listed += 1;
  if (edge.tags.length > 0) records.tags.set(records.slot.length, edge.tags);
  records.slot.push(slot);
  records.account.push(account);
  records.relation.push(RELATION_CODES[edge.relation]);
  records.time.push(edge.time);
}

function countEdge({ counts }: Graph, source: number, target: number, edge: Edge): void {
  const delta = countsOfEdge(edge);
  addCounts(counts[source] as AccountCounts, delta.source, 1);
  addCounts(counts[target] as AccountCounts, delta.target, 1);
}
