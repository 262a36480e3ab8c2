import { type RawBuilder, sql } from 'kysely';
import type { AccountsBody, BatchAccount } from '../../contract/batch-schemas.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Dialect } from '../../store/dialect.ts';
import { param } from '../../store/params.ts';
import { selectRows, statement } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { stateOf } from '../edges/states.ts';
import { ACCOUNT, type AccountParameter, aboutRef, readAbout, SLOT } from '../refs/account-ref.ts';
import { addressesOf, type Other } from '../refs/resolve-many.ts';

interface AccountRow {
  readonly address: Address;
  readonly name: string | null;
  readonly avatar: string | null;
  /** Null if the graph does not have the account. */
  readonly followers: number | null;
  readonly following: number | null;
  readonly active_list: string | null;
}

interface ViewedRow extends AccountRow {
  /** The relation of the viewer to the account, and of the account to the viewer; null if there is none. */
  readonly state: number | null;
  readonly follower_state: number | null;
}

/** Accounts by address, in the parameter `accounts`, a JSON array. */
function selectAccounts(dialect: Dialect, more: RawBuilder<unknown>): RawBuilder<AccountRow> {
  return sql`select given.text as address, profiles.name, profiles.avatar, accounts.followers, accounts.following,
      accounts.active_list ${more}
    from ${dialect.textsOf(param('accounts'))} as given left join accounts on accounts.address = given.text
    left join profiles on profiles.address = given.text`;
}

const accountsOf = statement<{ accounts: string }, AccountRow>((db, dialect) =>
  selectRows(db, selectAccounts(dialect, sql``)),
);

const viewedBy = aboutRef<{ accounts: string }, ViewedRow>(({ dialect }) => {
  const relation = (slot: RawBuilder<unknown>, account: RawBuilder<unknown>) =>
    sql`(select relation from records where slot = ${slot} and account = ${account} and accounts.id <> ${ACCOUNT})`;
  return selectAccounts(
    dialect,
    sql`, ${relation(SLOT, sql`accounts.id`)} as state,
        ${relation(sql`accounts.active_slot`, ACCOUNT)} as follower_state`,
  );
});

/** What a row of a list of accounts shows of each, and with a viewer the edges between both. */
export async function readAccounts(
  reader: Reader,
  others: readonly Other[],
  viewer: AccountParameter | null,
): Promise<AccountsBody> {
  const params = { accounts: JSON.stringify(addressesOf(others)) };
  const found =
    viewer === null
      ? (await reader.all(accountsOf, params)).map(accountOf)
      : (await readAbout(reader, viewedBy, viewer, params)).rows.map(viewedOf);
  const byAddress = new Map(found.map((account) => [account.address, account]));
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
