import { sql } from 'kysely';
import { demoPictureIn } from '../../contract/demo-picture.ts';
import type {
  AccountBody,
  EnsBody,
  ListAccountBody,
  PrimaryListBody,
  SimpleProfileBody,
} from '../../contract/lookup-schemas.ts';
import { type AccountDetails, type Stats, splice } from '../../contract/schemas.ts';
import { ensJson, ensOf } from '../../names/profile.ts';
import type { Address } from '../../protocol/hex.ts';
import { columns, optional, type Select, select } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { IS_FOLLOW, OTHER_RECORDS } from '../edges/edge-lists.ts';
import { countsIn, RANKED, type RankBook, ranksOfAccount } from '../leaderboard/rank-book.ts';
import {
  ACCOUNT,
  type AccountRef,
  ADDRESS,
  aboutRef,
  type ListRef,
  ProblemError,
  type RefKind,
  readAbout,
  readReferent,
  resolveRef,
} from '../refs/account-ref.ts';

const accounts = columns('accounts');
const profiles = columns('profiles');

const profileOf = aboutRef(() => select({ ens: profiles.ens }, sql`from profiles where address = ${ADDRESS}`));

async function readProfile(reader: Reader, ref: AccountRef) {
  const { referent, rows } = await readAbout(reader, profileOf, ref, {});
  const address = referent.ref_address;
  return { address, stored: rows[0]?.ens ?? null, primaryList: referent.ref_primary_list ?? '' };
}

export async function readAccount(reader: Reader, ref: AccountRef): Promise<AccountBody> {
  const { address, stored } = await readProfile(reader, ref);
  return { address, ens: ensOf(stored, address) };
}

/** The account of a list, and whether the list is its primary list. */
export async function readListAccount(reader: Reader, ref: ListRef): Promise<ListAccountBody> {
  const { address, stored, primaryList } = await readProfile(reader, ref);
  return { address, ens: ensOf(stored, address), is_primary_list: ref.list === primaryList, primary_list: primaryList };
}

export async function readEns(reader: Reader, ref: AccountRef): Promise<EnsBody> {
  const { address, stored } = await readProfile(reader, ref);
  return { ens: splice(`{"address":"${address}",${ensJson(stored, address).slice(1)}`) };
}

export async function readPrimaryList(reader: Reader, ref: AccountRef): Promise<PrimaryListBody> {
  return { primary_list: (await readReferent(reader, ref)).ref_primary_list ?? '' };
}

/** Current counts. A list that is not its account's primary list has records of its own, which are counted. */
function selectStats(kind: RefKind): Select<Stats> {
  const counted = sql`(select count(*) from records where ${OTHER_RECORDS} and ${IS_FOLLOW})`;
  const isPrimary = sql`(select list = primary_list from ref)`;
  const following =
    kind === 'list' ? sql<number>`case when ${isPrimary} then following else ${counted} end` : accounts.following;
  return select(
    { followers_count: accounts.followers, following_count: following },
    sql`from accounts where id = ${ACCOUNT}`,
  );
}

const statsOf = aboutRef(({ kind }) => selectStats(kind));

/** The counts of an account that the graph does not have. */
const NO_STATS: Stats = { followers_count: 0, following_count: 0 };

export async function readStats(reader: Reader, ref: AccountRef): Promise<Stats> {
  const [stats] = (await readAbout(reader, statsOf, ref, {})).rows;
  return stats ?? NO_STATS;
}

/** A row of an account that the graph need not have, with its profile and `stats`. */
const oneAccount = (kind: RefKind) => sql`from (select 1 as one) as one
  left join profiles on profiles.address = ${ADDRESS} left join (${selectStats(kind).query}) as stats on 1 = 1`;
const { name, avatar, ens } = optional('profiles');
const STATS = {
  followers_count: sql<number>`coalesce(stats.followers_count, 0)`,
  following_count: sql<number>`coalesce(stats.following_count, 0)`,
};

const detailsOf = aboutRef(({ kind }) => {
  return select(
    { ...RANKED, ens, ...STATS, ...countsIn(optional('leaderboard')) },
    sql`${oneAccount(kind)} left join leaderboard on leaderboard.account = ${ACCOUNT}`,
  );
});

/** Profile, ranks, primary list and current counts of an account. */
export async function readDetails(
  reader: Reader,
  rankBook: RankBook,
  ref: AccountRef,
): Promise<AccountDetails & { readonly address: Address }> {
  const { referent, row, ranking } = await rankBook.with(reader, async () => {
    const { referent, rows } = await readAbout(reader, detailsOf, ref, {});
    const row = onlyOf(rows);
    return { referent, row, rankedAt: row.ranked_at };
  });
  const address = referent.ref_address;
  return {
    address,
    ens: ensOf(row.ens, address),
    ranks: ranksOfAccount(ranking, row),
    primary_list: referent.ref_primary_list ?? '',
    followers_count: row.followers_count,
    following_count: row.following_count,
  };
}

function onlyOf<R>([row]: readonly R[]): R {
  if (row === undefined) throw new Error('a query that selects one row returned none');
  return row;
}

const simpleProfileOf = aboutRef(({ kind }) => select({ name, avatar, ...STATS }, oneAccount(kind)));

/** What fits on one line about an account. `profileUrl` is the base of the URL of its page. */
export async function readSimpleProfile(
  reader: Reader,
  profileUrl: string,
  ref: AccountRef,
): Promise<SimpleProfileBody> {
  const { referent, rows } = await readAbout(reader, simpleProfileOf, ref, {});
  const { name, avatar, ...stats } = onlyOf(rows);
  const address = referent.ref_address;
  return {
    address,
    display_name: name || address,
    avatar: avatar ?? '',
    ...stats,
    url: pageOf(profileUrl, address),
  };
}

/** The URL of the profile page of an account. */
export async function readProfileUrl(reader: Reader, profileUrl: string, ref: AccountRef): Promise<string> {
  return pageOf(profileUrl, await resolveRef(reader, ref));
}

function pageOf(profileUrl: string, address: string): string {
  return `${profileUrl}/${address}`;
}

const avatarOf = aboutRef(() => select({ avatar: profiles.avatar }, sql`from profiles where address = ${ADDRESS}`));

/** The URL of the avatar of an account. Rejects with a `ProblemError` if it has none that a browser can load. */
export async function readAvatarUrl(reader: Reader, ref: AccountRef): Promise<string> {
  const { referent, rows } = await readAbout(reader, avatarOf, ref, {});
  const avatar = rows[0]?.avatar ?? '';
  // The service itself has the pictures of demo profiles.
  const own = demoPictureIn(avatar);
  if (own !== null) return own;
  const url = URL.parse(avatar);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
  throw new ProblemError('no-avatar', `${referent.ref_address} has no avatar with an http or https URL`);
}
