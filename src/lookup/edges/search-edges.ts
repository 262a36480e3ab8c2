import { type RawBuilder, sql } from 'kysely';
import { createTimeSlices } from '../../async/time-slices.ts';
import type { FollowersBody, FollowingBody } from '../../contract/lookup-schemas.ts';
import type { Dialect } from '../../store/dialect.ts';
import { param } from '../../store/params.ts';
import { columns, optional, select, statement } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import type { SearchPage } from '../leaderboard/search.ts';
import { type PageBody, pageBody } from '../page.ts';
import {
  ACCOUNT,
  type AccountRef,
  aboutRef,
  type RefKind,
  readAbout,
  readReferent,
  SLOT,
} from '../refs/account-ref.ts';
import { findAmong } from '../search/find-among.ts';
import { type MemberIndex, SEARCHED } from '../search/member-index.ts';
import {
  followerColumns,
  followerOf,
  followingColumns,
  followingOf,
  IS_FOLLOW,
  isIn,
  OTHER_RECORDS,
} from './edge-lists.ts';

/** The ids of accounts as a JSON array. */
interface Given {
  readonly accounts: string;
}

/** The ids of the accounts to search, and what the members that they are compared with must be of. */
const idsOf = (ids: (dialect: Dialect, kind: RefKind) => RawBuilder<string | null>) =>
  aboutRef(({ dialect, kind }) => ({
    ...select({ one: sql<number>`1` }, sql`where 1 = 0`),
    facts: { accounts: ids(dialect, kind), ...SEARCHED },
  }));

const followerIds = idsOf(
  ({ jsonArray }, kind) => sql`(select ${jsonArray('edges.source')} from edges
    where edges.target = ${ACCOUNT} and ${isIn(setOf(kind))})`,
);
const followingIds = idsOf(
  ({ jsonArray }) => sql`(select ${jsonArray('records.account')} from records where ${OTHER_RECORDS} and ${IS_FOLLOW})`,
);

const setOf = (kind: RefKind) => (kind === 'list' ? 'visible' : 'follows');

const { id, address } = columns('accounts', 'shown');
const { search_name } = optional('profiles');
const NO_TERM = sql<null>`null`;

/** The accounts with the ids of the parameter `accounts`. */
const givenAccounts = (dialect: Dialect) =>
  sql`from (select accounts.* from ${dialect.textsOf(param('accounts'))} as given
    ${dialect.leftJoinOne('accounts', sql`accounts.id = cast(given.text as integer)`)}) as shown`;

const followersOf = aboutRef<Given>()(({ kind, ...target }) =>
  select(
    { id, ...followerColumns(target, true, NO_TERM) },
    sql`${givenAccounts(target.dialect)} ${target.dialect.leftJoinOne(
      'edges',
      sql`edges.target = ${ACCOUNT} and edges.source = shown.id and edges.time =
        (select time from records where records.slot = shown.active_slot and records.account = ${ACCOUNT})`,
    )} where ${isIn(setOf(kind))}`,
  ),
);

const followingOfRef = aboutRef<Given>()((target) =>
  select(
    { id, ...followingColumns(target, true, NO_TERM) },
    sql`${givenAccounts(target.dialect)}
      ${target.dialect.leftJoinOne('records', sql`records.slot = ${SLOT} and records.account = shown.id`)}
      where ${OTHER_RECORDS} and ${IS_FOLLOW}`,
  ),
);

/** Those of some accounts that may match a term. */
const othersOf = statement<Given & { term: string }>()((_db, dialect) => {
  const mayMatch = (text: RawBuilder<unknown>) => sql`${sql.raw(dialect.indexOf)}(${text}, ${param('term')}) > 0`;
  return select(
    { account: id, address, search_name },
    sql`${givenAccounts(dialect)} ${dialect.leftJoinOne('profiles', sql`profiles.address = shown.address`)}
      where ${mayMatch(address)} or ${mayMatch(search_name)} order by shown.address`,
  ).query;
});

export async function searchFollowers(
  reader: Reader,
  members: MemberIndex,
  ref: AccountRef,
  page: SearchPage,
): Promise<PageBody<FollowersBody>> {
  const rows = await search(reader, members, ref, page, followerIds, (accounts) =>
    readAbout(reader, followersOf, ref, { accounts }),
  );
  return pageBody(rows, (some) => ({ followers: some.map((row) => followerOf(row, true)) }));
}

export async function searchFollowing(
  reader: Reader,
  members: MemberIndex,
  ref: AccountRef,
  page: SearchPage,
): Promise<PageBody<FollowingBody>> {
  const rows = await search(reader, members, ref, page, followingIds, (accounts) =>
    readAbout(reader, followingOfRef, ref, { accounts }),
  );
  return pageBody(rows, (some) => ({ following: some.map((row) => followingOf(row, true)) }));
}

/** Without a term the page is empty, but an unknown list or name is still a 404. */
async function search<R extends { readonly id: number }>(
  reader: Reader,
  members: MemberIndex,
  ref: AccountRef,
  { term: given, limit, offset }: SearchPage,
  ids: ReturnType<typeof idsOf>,
  read: (accounts: string) => Promise<{ readonly rows: readonly R[] }>,
): Promise<readonly R[]> {
  if (given === '') {
    await readReferent(reader, ref);
    return [];
  }
  const term = given.toLowerCase();
  const { shown } = await members.with(async (list) => {
    const { referent } = await readAbout(reader, ids, ref, {});
    // Safe: the column is an array of ids.
    const accounts = JSON.parse(referent.accounts ?? '[]') as number[];
    const unlisted = accounts.filter((account) => list.leafOf(account) === undefined);
    const others =
      unlisted.length === 0 ? [] : await reader.all(othersOf, { accounts: JSON.stringify(unlisted), term });
    const named = others.map(({ search_name, ...other }) => ({ ...other, name: search_name ?? '' }));
    const found = await findAmong(list, accounts, named, term, createTimeSlices());
    const wanted = found.slice(offset, offset + limit);
    const { rows } = await read(JSON.stringify(wanted));
    const byId = new Map(rows.map((row) => [row.id, row]));
    const shown = wanted.flatMap((account) => byId.get(account) ?? []);
    // An edge that ended meanwhile makes the search be repeated.
    return { shown, searched: shown.length < wanted.length ? null : referent.searched };
  });
  return shown;
}
