import { settleAll } from '../async/settle-all.ts';
import type { Address } from '../protocol/hex.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import type { DatedOp } from './cells.ts';
import { type Ids, tagKey } from './ids.ts';

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
