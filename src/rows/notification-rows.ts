import { settleAll } from '../async/batches.ts';
import { isoFromSeconds, serialiseNotification } from '../contract/serialise.ts';
import type { Address, Hex } from '../protocol/hex.ts';
import { ACTIONS, type Opcode } from '../protocol/list-op.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import type { DatedOp } from './cells.ts';

type Key = Pick<Row<'notifications'>, 'target' | 'time' | 'chain_id' | 'block_number' | 'log_index'>;

/** An op of an active slot, for the account that its record names. */
export interface Notification extends Key {
  readonly source: string;
  readonly list: string;
  readonly opcode: Opcode;
  readonly tag: string;
  readonly raw: Hex;
}

export function notificationOf(op: DatedOp, source: Address, list: string): Notification {
  return { ...keyOf(op), source, list, opcode: op.opcode, tag: op.tag, raw: op.raw };
}

/** Deletes and upserts notifications. Entries show the names and avatars that the sources have now. */
export async function writeNotifications(
  tx: Transaction,
  removed: readonly DatedOp[],
  added: readonly Notification[],
): Promise<void> {
  const sources = new Set(added.map(({ source }) => source));
  const keys = [...sources].map((source) => [source]);
  const [profiles] = await settleAll([
    tx.read('profiles', ['address'], keys),
    tx.remove('notifications', removed.map(keyOf)),
  ]);
  const profileOf = new Map(profiles.map((profile) => [profile.address, profile]));
  await tx.upsert(
    'notifications',
    added.map((notification) => notificationRow(notification, profileOf.get(notification.source))),
  );
}

export function notificationRow(
  notification: Notification,
  profile: Pick<Row<'profiles'>, 'name' | 'avatar'> | undefined,
): Row<'notifications'> {
  const { source, list, raw, target, time, chain_id, block_number, log_index, opcode, tag } = notification;
  const entry = serialiseNotification({
    address: source,
    name: profile?.name ?? '',
    avatar: profile?.avatar ?? '',
    token_id: list,
    action: ACTIONS[opcode],
    opcode,
    op: raw,
    tag,
    updated_at: isoFromSeconds(time),
  });
  return { target, time, chain_id, block_number, log_index, opcode, tag, entry };
}

function keyOf({ record, time, log }: DatedOp): Key {
  const { chain_id, block_number, log_index } = log.row;
  return { target: record, time, chain_id, block_number, log_index };
}
