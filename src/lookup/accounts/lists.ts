import { sql } from 'kysely';
import { isoFromSeconds } from '../../contract/iso-time.ts';
import type { ListsBody, MintersBody, SlotDetailsBody } from '../../contract/lookup-schemas.ts';
import type { ListBody } from '../../contract/schemas.ts';
import { type Address, ZERO_ADDRESS } from '../../protocol/hex.ts';
import { parseSlotKey, type SlotKey } from '../../protocol/register-values.ts';
import { param } from '../../store/params.ts';
import { REGISTER_PARTS } from '../../store/schema.ts';
import {
  columns,
  optional,
  type SelectedRow,
  select,
  statement,
  statements,
  withQueries,
} from '../../store/statement.ts';
import type { Reader, StreamReader } from '../../store/store.ts';
import { withProfiles } from '../leaderboard/members.ts';
import { isAfter, KEEP_ORDER, PAGE, type Page, type Paged, pageBody, splitPage } from '../page.ts';
import {
  ACCOUNT,
  type AccountRef,
  aboutRef,
  type ListRef,
  ProblemError,
  readAbout,
  streamAbout,
} from '../refs/account-ref.ts';

const lists = columns('lists');

/** The logs that set the owner of the list, in the order of an index. */
const transfers = sql`logs where subject = (select id from list) and part = ${sql.lit(REGISTER_PARTS.owner)}`;
/** A list is burned by a transfer to the zero address, and can be minted again. */
const burned = sql`select block_number, log_index from ${transfers}
  and payload = ${sql.lit(ZERO_ADDRESS.slice(2))} order by block_number desc, log_index desc limit 1`;
const logs = columns('logs');
const minted = select(
  { minted_at: logs.block_time, minted_to: logs.payload },
  sql`from ${transfers} and (block_number, log_index) > (
    coalesce((select block_number from (${burned}) as burned), -1), coalesce((select log_index from (${burned}) as burned), -1))
  order by block_number, log_index limit 1`,
);

const users = optional('accounts', 'users');
const list = select(
  {
    id: columns('lists', 'list').id,
    owner: columns('accounts', 'owners').address,
    /** The key of the slot; null without a storage location. */
    slot: sql<SlotKey | null>`slots.key`,
    user: users.address,
    manager: optional('accounts', 'managers').address,
    /** The id of the list that the user names as its primary list, valid or not. */
    users_list: users.primary_list,
    minted_at: sql<number>`minted.minted_at`,
    /** The address without 0x. */
    minted_to: sql<string>`minted.minted_to`,
  },
  sql`from list join accounts as owners on owners.id = list.owner left join slots on slots.id = list.slot
    left join accounts as users on users.id = slots."user" left join accounts as managers on managers.id = slots.manager
    join (${minted.query}) as minted on 1 = 1`,
);
const listOf = aboutRef(() =>
  withQueries({ list: sql`select * from lists where token_id = (select list from ref)` }, list),
);

/** What a list is, and whether it is the valid primary list of its user. */
export async function readList(reader: Reader, ref: ListRef): Promise<ListBody> {
  const [row] = (await readAbout(reader, listOf, ref, {})).rows;
  if (row === undefined)
    throw new Error(`list ${ref.list} has an account, but no stored mint: kith verify --repair reads lost logs again`);
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

type ListRow = SelectedRow<typeof list>;

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

/** Several lists may point at one slot: the primary list of its user comes first, then the smallest number. */
const listInSlot = statement<{ key: SlotKey }>()(() => {
  const isPrimary = sql<number>`case when users.active_slot = slots.id and users.active_list = lists.token_id
    then 1 else 0 end`;
  const { name, avatar, header } = optional('profiles');
  return select(
    {
      token_id: lists.token_id,
      owner: columns('accounts', 'owners').address,
      manager: optional('accounts', 'managers').address,
      user: users.address,
      ...{ name, avatar, header },
      is_primary: isPrimary,
    },
    sql`from slots join lists on lists.slot = slots.id join accounts as owners on owners.id = lists.owner
      left join accounts as users on users.id = slots."user"
      left join accounts as managers on managers.id = slots.manager
      left join profiles on profiles.address = users.address where slots.key = ${param('key')}
      order by ${isPrimary} desc, length(lists.token_id), lists.token_id limit 1`,
  ).query;
});

/** A slot, and the list that points at it. Rejects with a `ProblemError` if there is none. */
export async function readSlotDetails(reader: Reader, key: SlotKey): Promise<SlotDetailsBody> {
  const [row] = await reader.all(listInSlot, { key });
  if (row === undefined) throw new ProblemError('unknown-list', `no list is stored at ${key}`);
  const { chainId, contract } = parseSlotKey(key);
  return {
    slotDetails: {
      chainId: Number(chainId),
      contractAddress: contract,
      tokenId: Number(row.token_id),
      owner: row.owner,
      manager: row.manager ?? '',
      user: row.user ?? '',
      userName: row.name ?? '',
      userAvatar: row.avatar ?? '',
      userHeader: row.header ?? '',
      isPrimaryList: row.is_primary === 1,
    },
  };
}

interface MinterParams extends Page {
  readonly after_digits: number;
  readonly after_list: string;
}

/** The number of the last list. */
type MinterKey = readonly [list: string];

export function parseMinterKey([list, ...rest]: readonly unknown[]): MinterKey | undefined {
  const isList = typeof list === 'string' && /^\d{1,78}$/.test(list);
  return isList && rest.length === 0 ? [list] : undefined;
}

const minters = statements((isContinued: boolean) =>
  statement<MinterParams>()((_db, dialect) => {
    const order = [
      [sql`length(token_id)`, 'desc'],
      [sql`token_id`, 'desc'],
    ] as const;
    const after = isAfter(order, [param('after_digits'), param('after_list')]);
    const range = sql`from minters ${isContinued ? sql`where ${after}` : sql``}
      order by length(token_id) desc, token_id desc ${PAGE}`;
    // The accounts of the page alone are looked up: PostgreSQL would look for those of the rows before it, too.
    const page = select(
      {
        list: columns('minters', 'page').token_id,
        address: sql<Address>`(select address from accounts where accounts.id = page.account)`,
      },
      sql`from (select account, token_id ${range}) as page`,
    );
    return withProfiles(dialect, page, ['name', 'avatar']).query;
  }),
);

/** The accounts that lists belong to, each once, by the greatest number of their lists. */
export async function readMinters(
  reader: Reader,
  { limit, offset, cursor }: Page & { readonly cursor: MinterKey | null },
): Promise<Paged<MintersBody>> {
  const [after_list] = cursor ?? [''];
  const params = { limit: limit + 1, offset, after_digits: after_list.length, after_list };
  const { shown, next } = splitPage(await reader.all(minters(cursor !== null), params), limit, ({ list }) => [list]);
  const entryOf = ({ address, name, avatar, list }: (typeof shown)[number]) => ({
    ...{ address, name: name ?? '', avatar: avatar ?? '', list },
  });
  return { body: pageBody(shown, (some) => ({ minters: some.map(entryOf) })), next };
}

const listsOf = aboutRef(() => {
  const inRole = (role: 'user' | 'manager') => sql`select token_id from slots join lists on lists.slot = slots.id
      where ${sql.ref(`slots.${role}`)} = ${ACCOUNT} and lists.owner is not null`;
  // Token ids are decimal numbers of up to 256 bits, without leading zeros: the longer one is greater.
  return select(
    { token_id: columns('lists', 'found').token_id },
    sql`from (
        select token_id from lists where owner = ${ACCOUNT} union ${inRole('user')} union ${inRole('manager')}
      ) as found order by length(token_id), token_id ${KEEP_ORDER}`,
  );
});

/** The lists that an account owns, and those whose slot names it as user or manager. */
export async function* streamLists(reader: StreamReader, ref: AccountRef): AsyncGenerator<ListsBody> {
  for await (const { referent, rows } of streamAbout(reader, listsOf, ref, {})) {
    yield { primary_list: referent.ref_primary_list ?? '', lists: rows.map(({ token_id }) => token_id) };
  }
}
