import { setImmediate } from 'node:timers/promises';
import { type ActiveList, accountOfList, activeList } from '../../graph/active-list.ts';
import { addCounts, countsOfEdge, mintsOf } from '../../graph/counts.ts';
import { type Edge, foldRecord, type RecordOp } from '../../graph/fold-record.ts';
import { RELATION_CODES, RELATIONS } from '../../graph/relation.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Opcode } from '../../protocol/list-op.ts';
import { decodePrimaryList, decodeRole, decodeStorageLocation } from '../../protocol/register-values.ts';
import { type AccountCounts, blankCounts, type Ids, listKey, tokenIdOf, unsetList, unsetSlot } from '../../rows/ids.ts';
import type { ListRegisters, SlotRegisters } from '../register-rows.ts';
import { type CollectedLogs, NO_ACCOUNT, type OpColumns, type TransferColumns } from './collected-logs.ts';
import { float64, groupBy, groupOf, int32, uint8 } from './numbers.ts';

/** Lists, slots and accounts after all logs, and the active list of each account. */
export interface RegisterState {
  readonly lists: ReadonlyMap<string, ListRegisters>;
  readonly slots: ReadonlyMap<string, SlotRegisters>;
  readonly accounts: ReadonlyMap<Address, { primaryList: string | null; active: ActiveList | null }>;
}

/** Folds the registers, and assigns ids to all that they name. */
export function foldRegisters({ registers }: CollectedLogs, ids: Ids): RegisterState {
  const lists = new Map<string, ListRegisters>();
  const slots = new Map<string, SlotRegisters>();
  const listOf = (subject: number) => rowOf(lists, tokenIdOf(ids.keyOf(subject)), unsetList);
  const slotOf = (subject: number) => rowOf(slots, ids.keyOf(subject), unsetSlot);
  for (const [subject, { value }] of registers.owner) listOf(subject).owner = decodeRole(value);
  for (const [subject, { value }] of registers.location) listOf(subject).slot = decodeStorageLocation(value);
  for (const [subject, { value }] of registers.user) slotOf(subject).user = decodeRole(value);
  for (const [subject, { value }] of registers.manager) slotOf(subject).manager = decodeRole(value);
  const stateOf = (slot: string) => slots.get(slot) ?? null;
  for (const list of lists.values()) list.account = accountOfList(list, stateOf);

  const accounts: RegisterState['accounts'] = new Map(
    [...registers['primary-list']].map(([subject, { value }]) => {
      // Safe: the subjects of account metadata are accounts.
      const account = ids.keyOf(subject) as Address;
      const primaryList = decodePrimaryList(value);
      const active = activeList(account, primaryList, (list) => lists.get(list) ?? null, stateOf);
      return [account, { primaryList, active }];
    }),
  );
  ids.number(namedBy({ lists, slots, accounts }));
  return { lists, slots, accounts };
}

function* namedBy({ lists, slots, accounts }: RegisterState): Generator<string> {
  for (const { owner, slot } of lists.values()) yield* present([owner, slot]);
  for (const { user, manager } of slots.values()) yield* present([user, manager]);
  for (const { primaryList } of accounts.values()) if (primaryList !== null) yield listKey(primaryList);
}

const present = (keys: readonly (string | null)[]) => keys.filter((key) => key !== null);

/** The row of a key, created blank on first use. */
function rowOf<R>(rows: Map<string, R>, key: string, blank: (key: string) => R): R {
  let row = rows.get(key);
  if (row === undefined) rows.set(key, (row = blank(key)));
  return row;
}

/** What the rows of all tables are made from, besides the folded graph. Accounts and slots are ids. */
export interface RowInputs {
  readonly ids: Ids;
  readonly collected: CollectedLogs;
  /** All accounts, ascending. */
  readonly accounts: readonly number[];
  /** The active slot, by account. */
  readonly slotOf: (number | undefined)[];
  /** The account whose active slot it is, or `NO_ACCOUNT`, by slot. */
  readonly accountOf: Int32Array;
}

export function createRowInputs(collected: CollectedLogs, ids: Ids, registers: RegisterState): RowInputs {
  const accounts: number[] = [];
  for (const [id, key] of ids.entries()) if (key.startsWith('0x')) accounts.push(id);
  const slotOf: (number | undefined)[] = [];
  const accountOf = new Int32Array(ids.end).fill(NO_ACCOUNT);
  for (const [address, { active }] of registers.accounts) {
    if (active === null) continue;
    const account = ids.requireId(address);
    const slot = ids.requireId(active.slot);
    slotOf[account] = slot;
    accountOf[slot] = account;
  }
  return { ids, collected, accounts: accounts.sort((a, b) => a - b), slotOf, accountOf };
}

/** The whole graph in memory. Accounts and slots are ids. */
export interface Graph {
  /** By account. */
  readonly counts: AccountCounts[];
  readonly records: RecordColumns;
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
  const ops: RecordOp[] = [];
  // Safe: the column holds what was decoded as an opcode.
  for (const at of positions) ops.push({ opcode: opcode.at(at) as Opcode, time: time.at(at), tag: tags.get(at) ?? '' });
  return ops;
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
