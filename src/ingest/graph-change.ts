import { type ActiveList, activeList } from '../graph/active-list.ts';
import { type Edge, foldRecord } from '../graph/fold-record.ts';
import type { Address } from '../protocol/hex.ts';
import { type CellReader, type Cells, type DatedOp, datedOps, recordsOf } from '../rows/cells.ts';
import { type Ids, tokenIdOf } from '../rows/ids.ts';
import { isRecord } from '../rows/stored-log.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import type { RegisterRows, Touched } from './register-rows.ts';

/** An account whose edges a change may affect, with its active list before and after. */
export interface Activity {
  readonly account: Address;
  readonly was: ActiveList | null;
  readonly is: ActiveList | null;
}

/**
 * Recomputes the active list of every account that the touched lists, slots and accounts can affect: the accounts
 * themselves, and the old and new users of the slots. No other account's list can become valid or invalid. Users of slots
 * of which only records were touched, which is the common case, keep their active list.
 */
export async function decideActivity(
  tx: Transaction,
  ids: Ids,
  registers: RegisterRows,
  touched: Touched,
  cells: Cells,
): Promise<Activity[]> {
  const { lists, slots, accounts } = registers;
  await slots.load(touched.lists.flatMap((list) => [lists.before(list).slot, lists.after(list).slot]));
  const users = new Set<string>(touched.accounts);
  const unchanged = new Set<string>();
  const addUsers = (slot: string | null, among = users) => {
    if (slot === null) return;
    for (const user of [slots.before(slot).user, slots.after(slot).user]) if (user !== null) among.add(user);
  };
  for (const slot of touched.slots) addUsers(slot, cells.get(slot)?.has('user') ? users : unchanged);
  for (const list of touched.lists) {
    addUsers(lists.before(list).slot);
    addUsers(lists.after(list).slot);
  }
  await accounts.load([...users, ...unchanged]);
  const rows = [...users, ...unchanged].map((user) => accounts.after(user));
  await ids.name(tx, {
    lists: rows.map(({ primary_list }) => primary_list),
    slots: rows.map(({ active_slot }) => active_slot),
  });
  const primaryOf = ({ primary_list }: Row<'accounts'>) =>
    primary_list === null ? null : tokenIdOf(ids.keyOf(primary_list));
  const primaries = [...users].map((user) => primaryOf(accounts.after(user))).filter((list) => list !== null);
  await lists.load(primaries);
  await slots.load(primaries.map((list) => lists.after(list).slot));

  const kept = [...unchanged]
    .filter((user) => !users.has(user))
    .map((user) => {
      const was = activeOf(ids, accounts.before(user));
      // Safe, here and below: users are decoded from roles and metadata, which hold addresses.
      return { account: user as Address, was, is: was };
    });
  const decided = [...users].map((user) => {
    const row = accounts.after(user);
    const was = activeOf(ids, row);
    const account = user as Address;
    const is = activeList(
      account,
      primaryOf(row),
      (list) => lists.after(list),
      (slot) => slots.after(slot),
    );
    row.active_list = is?.list ?? null;
    row.active_slot = ids.idOrNull(is?.slot ?? null);
    return { account, was, is };
  });
  return [...kept, ...decided];
}

function activeOf(ids: Ids, { active_list, active_slot }: Row<'accounts'>): ActiveList | null {
  return active_list === null || active_slot === null ? null : { list: active_list, slot: ids.keyOf(active_slot) };
}

/** A record whose logs have changed, of any slot, before and after the change. */
export interface TouchedRecord {
  readonly slot: string;
  readonly address: Address;
  readonly ops: readonly DatedOp[];
  readonly before: Edge | null;
  readonly after: Edge | null;
  /** Whether the two differ. */
  readonly isChanged: boolean;
}

export function foldTouched(cells: Cells): TouchedRecord[] {
  const touched: TouchedRecord[] = [];
  for (const [slot, parts] of cells) {
    for (const [address, logs] of parts) {
      if (!isRecord(address)) continue;
      const ops = datedOps(logs);
      const before = foldRecord(ops.filter(({ log }) => log.before));
      const after = foldRecord(ops.filter(({ log }) => log.after));
      touched.push({ slot, address, ops, before, after, isChanged: !sameEdge(before, after) });
    }
  }
  return touched;
}

function sameEdge(a: Edge | null, b: Edge | null): boolean {
  if (a === null || b === null) return a === b;
  return a.time === b.time && a.tags.length === b.tags.length && a.tags.every((tag, i) => tag === b.tags[i]);
}

/** Counts in how many slots each account is a record. The rows of the accounts must have been loaded. */
export function countListed({ accounts }: RegisterRows, touched: readonly TouchedRecord[]): void {
  for (const { address, before, after } of touched) {
    if ((before === null) !== (after === null)) accounts.after(address).listed += after === null ? -1 : 1;
  }
}

/** An edge that has changed. */
export interface EdgeChange {
  readonly source: Address;
  readonly target: Address;
  before: Edge | null;
  after: Edge | null;
}

export interface GraphChange {
  /** By `edgeKey`. */
  readonly edges: Map<string, EdgeChange>;
  readonly notificationsRemoved: DatedOp[];
  readonly notificationsAdded: Notification[];
}

export const edgeKey = (source: string, target: string) => `${source}${target}`;

/** Diffs the contents of the accounts' active slots before and after the change. */
export async function collectGraphChange(
  activities: readonly Activity[],
  touched: readonly TouchedRecord[],
  reader: CellReader,
): Promise<GraphChange> {
  const change: GraphChange = { edges: new Map(), notificationsRemoved: [], notificationsAdded: [] };
  const moved = activities.filter((activity) => !sameSlot(activity.was, activity.is));
  const slots = new Set(moved.flatMap(({ was, is }) => [was?.slot, is?.slot]).filter((slot) => slot !== undefined));
  const whole = await reader.readSlots([...slots]);
  const bySlot = Map.groupBy(touched, ({ slot }) => slot);

  for (const { account, was, is } of activities) {
    if (is !== null && sameSlot(was, is)) {
      addTouchedRecords(change, account, bySlot.get(is.slot) ?? []);
      continue;
    }
    for (const [record, ops] of opsOf(whole, was, account, 'before')) {
      changeOf(change, account, record).before = foldRecord(ops);
      for (const op of ops) change.notificationsRemoved.push(op);
    }
    for (const [record, ops] of opsOf(whole, is, account, 'after')) {
      changeOf(change, account, record).after = foldRecord(ops);
      for (const op of ops) change.notificationsAdded.push({ op, source: account });
    }
  }
  return change;
}

function addTouchedRecords(change: GraphChange, account: Address, touched: readonly TouchedRecord[]): void {
  for (const { address, ops, before, after, isChanged } of touched) {
    // A record of the account itself is no edge.
    if (address === account) continue;
    if (isChanged) Object.assign(changeOf(change, account, address), { before, after });
    for (const op of ops) {
      if (!op.log.after) change.notificationsRemoved.push(op);
      else if (!op.log.before) change.notificationsAdded.push({ op, source: account });
    }
  }
}

/** The ops of each record in the slot of `active`, before or after the change. */
function* opsOf(
  cells: Cells,
  active: ActiveList | null,
  account: Address,
  time: 'before' | 'after',
): Generator<[Address, DatedOp[]]> {
  if (active === null) return;
  for (const [record, logs] of recordsOf(cells, active.slot, account)) {
    const ops = datedOps(logs.filter((log) => log[time]));
    if (ops.length > 0) yield [record, ops];
  }
}

function changeOf(change: GraphChange, source: Address, target: Address): EdgeChange {
  const key = edgeKey(source, target);
  let edge = change.edges.get(key);
  if (edge === undefined) change.edges.set(key, (edge = { source, target, before: null, after: null }));
  return edge;
}

/** The records are those of the slot, whichever list names it. */
function sameSlot(a: ActiveList | null, b: ActiveList | null): boolean {
  return a?.slot === b?.slot;
}

/** An op of an active slot, for the account that its record names. */
export interface Notification {
  readonly op: DatedOp;
  /** The account of the slot. */
  readonly source: Address;
}
