import { settleAll } from '../async/settle-all.ts';
import type { ActiveList } from '../graph/active-list.ts';
import { type Edge, foldRecord } from '../graph/fold-record.ts';
import type { Address } from '../protocol/hex.ts';
import { type CellReader, type Cells, type DatedOp, datedOps, recordsOf } from '../rows/cells.ts';
import { type Ids, tagKey } from '../rows/ids.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import type { Activity } from './activity.ts';
import type { TouchedRecord } from './touched-records.ts';

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

/** `notifications.tag` of ops without a tag. */
export const NO_TAG = 0;

/** Deletes and upserts notifications. The ids of their accounts and tags must have been assigned. */
export async function writeNotifications(
  tx: Transaction,
  ids: Ids,
  removed: readonly DatedOp[],
  added: readonly Notification[],
): Promise<void> {
  await settleAll([
    tx.remove(
      'notifications',
      removed.map((op) => keyOf(ids, op)),
    ),
    tx.upsert(
      'notifications',
      added.map((notification) => notificationRow(ids, notification)),
    ),
  ]);
}

function notificationRow(ids: Ids, { op, source }: Notification): Row<'notifications'> {
  const { opcode, tag } = op;
  return {
    ...keyOf(ids, op),
    source: ids.requireId(source),
    opcode,
    tag: tag === '' ? NO_TAG : ids.requireId(tagKey(tag)),
  };
}

function keyOf(ids: Ids, { record, time, log }: DatedOp) {
  const { chain_id, block_number, log_index } = log.row;
  return { target: ids.requireId(record), time, chain_id, block_number, log_index };
}
