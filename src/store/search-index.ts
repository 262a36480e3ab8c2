import { type RawBuilder, sql } from 'kysely';
import { COUNTED } from '../graph/counts.ts';
import { searchOf, type TierName } from '../graph/search-grams.ts';
import type { Address } from '../protocol/hex.ts';
import type { BulkStatement } from './executor.ts';
import { param, rowCount } from './params.ts';

/** A member of the leaderboard in the search index. */
export interface IndexedMember {
  readonly account: number;
  readonly address_key: Address;
  readonly followers: number;
}

/** The members of the leaderboard that match a term in one way. */
export interface Tier {
  /** Also the name of the parameter that holds what `candidates` returned. */
  readonly name: TierName;
  /** Whether the index narrows the members. */
  readonly isIndexed: boolean;
  /** The condition on `accounts` and `profiles` that a member must meet. */
  readonly matches: RawBuilder<boolean>;
  /** How many members are wanted. */
  readonly limit: RawBuilder<number>;
}

/** How the leaderboard is searched. */
export interface SearchIndex {
  /** Null if the engine maintains the index itself. */
  readonly maintain: SearchMaintenance | null;
  /** Selects the members that may match a term in lower case, as a parameter; null if the index does not narrow them. */
  candidates(term: string, tier: TierName): string | null;
  /**
   * Selects the members of a tier with their profiles: at least the first ones, up to its limit, in the order of the
   * leaderboard.
   */
  members(tier: Tier): RawBuilder<unknown>;
}

interface SearchMaintenance {
  rowIdOf(member: IndexedMember): bigint;
  /** Parameters: row id, and the grams separated by spaces. */
  readonly add: BulkStatement;
  /** Parameter: row id. */
  readonly remove: BulkStatement;
  /** Merges index segments. Parameter: the maximum number of pages to write, negative for a full merge. */
  readonly merge: string;
}

/** The tables that the condition of a tier refers to. */
const MEMBERS = sql`leaderboard join accounts on accounts.id = leaderboard.account
  left join profiles on profiles.address = accounts.address`;
/** The same for the candidates of a search. */
const MEMBERS_OF = sql`candidates join accounts on accounts.address = candidates.address
  join leaderboard on leaderboard.account = accounts.id left join profiles on profiles.address = accounts.address`;
/** The members of a page and of those before it. */
export const END = sql<number>`(cast(${rowCount('limit')} as bigint) + ${rowCount('offset')})`;

/** The columns of the profile of a member. */
export const SHOWN = ['name', 'avatar', 'header'] as const;
/** What is shown of a member, and its place in the order, from the tables that find it. */
const COLUMNS = {
  leaderboard: [...COUNTED, 'address_key'],
  accounts: ['address'],
  profiles: SHOWN,
};
const ROW = sql.join(
  Object.entries(COLUMNS).flatMap(([table, columns]) => columns.map((column) => sql.ref(`${table}.${column}`))),
);

const inOrder = (members: RawBuilder<unknown>, matches: RawBuilder<boolean>, limit: RawBuilder<number>) =>
  sql`select ${ROW} from ${members} where ${matches}
    order by leaderboard.followers desc, leaderboard.address_key limit ${limit}`;

/** Row ids of the index end with the id of the account, and start with what orders members, see `rowIdOf`. */
const ACCOUNT_IDS = 2 ** 27;
const MAX_FOLLOWERS = 2 ** 20 - 1;

/** Members with equal follower counts and equal first four digits of the address are consecutive, in order of arrival. */
function rowIdOf({ account, address_key, followers }: IndexedMember): bigint {
  const start = Number.parseInt(address_key.slice(2, 6), 16);
  const position = (MAX_FOLLOWERS - Math.min(followers, MAX_FOLLOWERS)) * 2 ** 16 + start;
  return BigInt(position) * BigInt(ACCOUNT_IDS) + BigInt(account);
}

/**
 * An inverted index of grams: FTS5 stores the row ids of each gram sorted and compressed, and intersects several of them.
 * Its row ids are in the order of the leaderboard, so a page of a frequent term reads no more than its first members.
 * After a ranking they are written in steps: until then, the members that have moved are compared directly.
 */
export const sqliteSearchIndex: SearchIndex = {
  maintain: {
    rowIdOf,
    // Not batched: FTS5 would start a new segment with every multi-row insert.
    add: { text: 'insert into leaderboard_grams (rowid, grams) values (?, ?)', batch: null },
    remove: { text: 'delete from leaderboard_grams where rowid = ?', batch: null },
    merge: "insert into leaderboard_grams (leaderboard_grams, rank) values ('merge', ?)",
  },
  candidates: (term, tier) => {
    const sets = searchOf(term)[tier];
    if (sets === 'all') return null;
    return sets.map((grams) => `(${grams.map((gram) => `"${gram}"`).join(' AND ')})`).join(' OR ');
  },
  members: (tier) => {
    if (!tier.isIndexed) return inOrder(MEMBERS, tier.matches, tier.limit);
    const matching = sql`from leaderboard_grams as grams
      cross join leaderboard on leaderboard.account = grams.rowid % ${sql.lit(ACCOUNT_IDS)}
      cross join accounts on accounts.id = leaderboard.account
      left join profiles on profiles.address = accounts.address
      where leaderboard_grams match ${param(tier.name)} and ${tier.matches}
        and leaderboard.account not in (select account from search_changes)`;
    const first = sql`select ${ROW}, grams.rowid as position ${matching} order by grams.rowid limit ${tier.limit}`;
    // Above every row id if there is no member, since FTS5 would read them all for null.
    const last = sql`(select coalesce(max(position), ${sql.lit(2 ** 62)}) from first)`;
    // The order of addresses is not that of row ids, so the members that share the first digits of the last are read too.
    return sql`with first as materialized (${first})
      select ${sql.join(Object.values(COLUMNS).flat().map(sql.ref))} from first union all
      select ${ROW} ${matching} and grams.rowid > ${last}
        and grams.rowid < (${last} / ${sql.lit(ACCOUNT_IDS)} + 1) * ${sql.lit(ACCOUNT_IDS)} union all
      select ${ROW} from search_changes cross join leaderboard on leaderboard.account = search_changes.account
        cross join accounts on accounts.id = leaderboard.account
        left join profiles on profiles.address = accounts.address where ${tier.matches}`;
  },
};

const TERM = param<string>('term');
/** A term of one or two letters has no trigram: it is compared with every address and name. */
const MIN_TRIGRAM = 3;
/** A pattern that no address and no name matches. */
const NO_MEMBER = '';
/** Whether a text may match: ranges of the ordinary indexes, and the trigram indexes. No name has the last code point. */
const MAY_MATCH: Readonly<Record<TierName, (text: RawBuilder<unknown>) => RawBuilder<unknown>>> = {
  equal: (text) => sql`${text} = ${TERM}`,
  start: (text) => sql`${text} >= ${TERM} and ${text} < ${TERM} || chr(1114111)`,
  within: (text) => sql`${text} like ${param('within')}`,
};
/**
 * More candidates are not sorted: the leaderboard is read in its order until the page is full. On a million accounts,
 * sorting takes 54 µs for each, and reading 12 µs for each member, of which a page needs more if it ends later.
 */
const MAX_SORTED = sql<number>`(425 * sqrt(${END}))::bigint`;

export const postgresSearchIndex: SearchIndex = {
  maintain: null,
  candidates: (term, tier) => {
    if (tier !== 'within') return term;
    // Every address starts with these terms, so no member is left for this tier.
    if ('0x'.startsWith(term)) return NO_MEMBER;
    return term.length < MIN_TRIGRAM ? null : `%${term.replace(/[\\%_]/g, '\\$&')}%`;
  },
  members: ({ name, isIndexed, matches, limit }) => {
    const may = (text: RawBuilder<unknown>) => (isIndexed ? MAY_MATCH[name](text) : sql`strpos(${text}, ${TERM}) > 0`);
    const some = (table: RawBuilder<unknown>, text: RawBuilder<unknown>) =>
      sql`(select address from ${table} where ${may(text)} limit ${MAX_SORTED} + 1)`;
    const isFrequent = sql`(select count(*) from candidates) > ${MAX_SORTED}`;
    // Materialized, because PostgreSQL would read the whole leaderboard in its order instead of sorting the matches.
    return sql`with candidates as materialized (
        ${some(sql`accounts`, sql`address`)} union ${some(sql`profiles`, sql`search_name`)}),
      matching as materialized (select ${ROW} from ${MEMBERS_OF} where ${matches})
      (select * from matching order by followers desc, address_key
        limit (case when ${isFrequent} then 0 else ${limit} end))
      union all (${inOrder(MEMBERS, matches, sql`(case when ${isFrequent} then ${limit} else 0 end)`)})
      limit ${limit}`;
  },
};
