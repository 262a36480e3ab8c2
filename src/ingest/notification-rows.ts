import { isoFromSeconds, serialiseNotification } from '../contract/serialise.ts';
import { ACTIONS } from '../protocol/list-op.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import type { DatedOp } from './change.ts';
import type { Notice } from './graph-change.ts';

export async function removeNotifications(tx: Transaction, ops: readonly DatedOp[]): Promise<void> {
  await tx.remove('notifications', ops.map(keyOf));
}

/** Writes what accounts received, with the names that the senders have now. */
export async function writeNotifications(tx: Transaction, notices: readonly Notice[]): Promise<void> {
  const sources = new Set(notices.map((notice) => notice.source));
  const profiles = await tx.read(
    'profiles',
    ['address'],
    [...sources].map((source) => [source]),
  );
  const profileOf = new Map(profiles.map((profile) => [profile.address, profile]));
  await tx.upsert(
    'notifications',
    notices.map((notice) => rowOf(notice, profileOf.get(notice.source))),
  );
}

function rowOf({ source, list, op }: Notice, profile: Row<'profiles'> | undefined): Row<'notifications'> {
  const entry = serialiseNotification({
    address: source,
    name: profile?.name ?? '',
    avatar: profile?.avatar ?? '',
    token_id: list,
    action: ACTIONS[op.opcode],
    opcode: op.opcode,
    op: op.raw,
    tag: op.tag,
    updated_at: isoFromSeconds(op.time),
  });
  return { ...keyOf(op), opcode: op.opcode, tag: op.tag, entry };
}

function keyOf({ record, time, log }: DatedOp) {
  const { chain_id, block_number, log_index } = log.row;
  return { target: record, time, chain_id, block_number, log_index };
}
