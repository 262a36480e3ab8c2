import { sql } from 'kysely';
import { isoFromSeconds } from '../../contract/iso-time.ts';
import type { ListBody } from '../../contract/list-schema.ts';
import { type Address, ZERO_ADDRESS } from '../../protocol/hex.ts';
import { parseSlotKey, type SlotKey } from '../../protocol/slot-key.ts';
import { REGISTER_PARTS } from '../../store/log-parts.ts';
import type { Reader } from '../../store/store.ts';
import { aboutRef, type ListRef, readAbout } from '../refs/account-ref.ts';

interface ListRow {
  readonly id: number;
  readonly owner: Address;
  /** The key of the slot; null without a storage location. */
  readonly slot: SlotKey | null;
  readonly user: Address | null;
  readonly manager: Address | null;
  /** The id of the list that the user names as its primary list, valid or not. */
  readonly users_list: number | null;
  readonly minted_at: number;
  /** The address without 0x. */
  readonly minted_to: string;
}

/** The logs that set the owner of the list, in the order of an index. */
const transfers = sql`logs where subject = (select id from list) and part = ${sql.lit(REGISTER_PARTS.owner)}`;
/** A list is burned by a transfer to the zero address, and can be minted again. */
const burned = sql`select block_number, log_index from ${transfers}
  and payload = ${sql.lit(ZERO_ADDRESS.slice(2))} order by block_number desc, log_index desc limit 1`;
const minted = sql`select block_time as minted_at, payload as minted_to from ${transfers}
  and (block_number, log_index) > (
    coalesce((select block_number from (${burned}) as burned), -1), coalesce((select log_index from (${burned}) as burned), -1))
  order by block_number, log_index limit 1`;

const listOf = aboutRef<object, ListRow>(
  () => sql`with list as (select * from lists where token_id = (select list from ref))
    select list.id, owners.address as owner, slots.key as slot, users.address as "user", managers.address as manager,
      users.primary_list as users_list, minted.minted_at, minted.minted_to
    from list join accounts as owners on owners.id = list.owner left join slots on slots.id = list.slot
    left join accounts as users on users.id = slots."user" left join accounts as managers on managers.id = slots.manager
    left join (${minted}) as minted on 1 = 1`,
);

/** What a list is, and whether it is the valid primary list of its user. */
export async function readList(reader: Reader, ref: ListRef): Promise<ListBody> {
  const [row] = (await readAbout(reader, listOf, ref, {})).rows;
  if (row === undefined) throw new Error(`list ${ref.list} has an account and no owner`);
  const fault = faultOf(row);
  return {
    token_id: ref.list,
    storage_location: row.slot === null ? null : locationOf(row.slot),
    owner: row.owner,
    manager: row.manager ?? '',
    user: row.user ?? '',
    minted_at: isoFromSeconds(row.minted_at),
    minted_to: `0x${row.minted_to}`,
    is_primary_list: fault === '',
    primary_list_fault: fault,
  };
}

function faultOf({ id, slot, user, users_list }: ListRow): ListBody['primary_list_fault'] {
  if (slot === null) return 'no-storage-location';
  if (user === null) return 'slot-without-user';
  if (users_list === null) return 'no-primary-list';
  return users_list === id ? '' : 'other-primary-list';
}

function locationOf(key: SlotKey): ListBody['storage_location'] {
  const { chainId, contract, slot } = parseSlotKey(key);
  return { chain_id: chainId, contract, slot: BigInt(slot).toString() };
}
