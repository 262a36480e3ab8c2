import { settleAll } from '../async/batches.ts';
import { isoFromSeconds, serialiseNotification } from '../contract/serialise.ts';
import type { Address, Hex } from '../protocol/hex.ts';
import { ACTIONS, type Opcode } from '../protocol/list-op.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import type { DatedOp } from './cells.ts';

/** An op as the account that it names receives it. */
export interface Notice {
  readonly source: Address;
  readonly list: string;
  readonly op: DatedOp;
}

/** Removes what accounts have not received after all, and writes what they have, with the names that the senders have now. */
export async function writeNotifications(
  tx: Transaction,
  gone: readonly DatedOp[],
  come: readonly Notice[],
): Promise<void> {
  const sources = new Set(come.map((notice) => notice.source));
  const keys = [...sources].map((source) => [source]);
  const [profiles] = await settleAll([
    tx.read('profiles', ['address'], keys),
    tx.remove('notifications', gone.map(keyOf)),
  ]);
  const profileOf = new Map(profiles.map((profile) => [profile.address, profile]));
  await tx.upsert(
    'notifications',
    come.map(({ source, list, op }) =>
      notificationRow(
        { ...keyOf(op), source, list, opcode: op.opcode, tag: op.tag, raw: op.raw },
        profileOf.get(source),
      ),
    ),
  );
}

type Key = Pick<Row<'notifications'>, 'target' | 'time' | 'chain_id' | 'block_number' | 'log_index'>;

/** An op of an active slot, as the account that it names receives it. */
export interface Received extends Key {
  readonly source: string;
  readonly list: string;
  readonly opcode: Opcode;
  readonly tag: string;
  readonly raw: Hex;
}

export function notificationRow(
  received: Received,
  profile: Pick<Row<'profiles'>, 'name' | 'avatar'> | undefined,
): Row<'notifications'> {
  const { source, list, raw, target, time, chain_id, block_number, log_index, opcode, tag } = received;
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
