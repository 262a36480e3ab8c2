import { type RawBuilder, sql } from 'kysely';
import type { AccountsBody, BatchAccount } from '../../contract/batch-schemas.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Dialect } from '../../store/dialect.ts';
import { param } from '../../store/params.ts';
import { optional, type RowOf, select, statement } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { stateOf } from '../edges/states.ts';
import { ACCOUNT, type AccountRef, aboutRef, readAbout, SLOT } from '../refs/account-ref.ts';
import { addressesOf, type Other } from '../refs/resolver.ts';

const accounts = optional('accounts');
const { name, avatar } = optional('profiles');
/** The counts are null if the graph does not have the account. */
const ACCOUNT_COLUMNS = {
  address: sql<Address>`given.text`,
  name,
  avatar,
  followers: accounts.followers,
  following: accounts.following,
  active_list: accounts.active_list,
};
type AccountRow = RowOf<typeof ACCOUNT_COLUMNS>;

/** Accounts by address, in the parameter `accounts`, a JSON array. */
const fromAccounts = (dialect: Dialect) => sql`from ${dialect.textsOf(param('accounts'))} as given
  left join accounts on accounts.address = given.text left join profiles on profiles.address = given.text`;

const accountsOf = statement<{ accounts: string }>()(
  (_db, dialect) => select(ACCOUNT_COLUMNS, fromAccounts(dialect)).query,
);

/** The relation of the viewer to the account, and of the account to the viewer; null if there is none. */
const STATES = {
  state: relationOf(SLOT, accounts.id),
  follower_state: relationOf(accounts.active_slot, ACCOUNT),
};

function relationOf(slot: RawBuilder<number | null>, account: RawBuilder<number | null>) {
  return sql<number | null>`(select relation from records
    where slot = ${slot} and account = ${account} and accounts.id <> ${ACCOUNT})`;
}

const viewedBy = aboutRef<{ accounts: string }>()(({ dialect }) =>
  select({ ...ACCOUNT_COLUMNS, ...STATES }, fromAccounts(dialect)),
);
type ViewedRow = AccountRow & RowOf<typeof STATES>;

/** What a row of a list of accounts shows of each, and with a viewer the edges between both. */
export async function readAccounts(
  reader: Reader,
  others: readonly Other[],
  viewer: AccountRef | null,
): Promise<AccountsBody> {
  const params = { accounts: JSON.stringify(addressesOf(others)) };
  const rows: readonly (AccountRow | ViewedRow)[] =
    viewer === null ? await reader.all(accountsOf, params) : (await readAbout(reader, viewedBy, viewer, params)).rows;
  const byAddress = new Map(rows.map((row) => [row.address, 'state' in row ? viewedOf(row) : accountOf(row)]));
  return others.map(({ address }) => (address === null ? null : (byAddress.get(address) ?? null)));
}

function accountOf({ address, name, avatar, followers, following, active_list }: AccountRow): BatchAccount {
  return {
    address,
    name: name ?? '',
    avatar: avatar ?? '',
    followers_count: followers ?? 0,
    following_count: following ?? 0,
    primary_list: active_list ?? '',
  };
}

function viewedOf(row: ViewedRow): BatchAccount {
  return { ...accountOf(row), state: stateOf(row.state), follower_state: stateOf(row.follower_state) };
}
