import { type RawBuilder, sql } from 'kysely';
import { COUNTED } from '../graph/counts.ts';
import { searchOf, type TierName } from '../graph/search-grams.ts';
import type { BulkStatement } from './executor.ts';
import { param, rowCount } from './params.ts';

/** The members of the leaderboard that match a term in one way. */
export interface Tier {
  /** The condition on `accounts` and `profiles` that a member must meet. */
  readonly matches: RawBuilder<boolean>;
  /** The name of the parameter that holds what `candidates` returned; null if every member is a candidate. */
  readonly candidates: string | null;
  /** How many members are wanted. */
  readonly limit: RawBuilder<number>;
}

/** How the leaderboard is searched. */
export interface SearchIndex {
  /** DDL of the empty index. */
  readonly create: readonly string[];
  /** Null if the engine maintains the index itself. */
  readonly maintain: SearchMaintenance | null;
  /** Selects the members that may match a term in lower case, as a parameter; null if the index does not narrow them. */
  candidates(term: string, tier: TierName): string | null;
  /**
   * Selects the rows of the leaderboard of the members of a tier: at least the first ones, up to its limit, in the order
   * of the leaderboard.
   */
  members(tier: Tier): RawBuilder<unknown>;
}

interface SearchMaintenance {
  /** Parameters: followers, prefix, account, and the grams separated by spaces. */
  readonly add: BulkStatement;
  readonly remove: BulkStatement;
  /** Merges index segments. Parameter: the maximum number of pages to write, negative for a full merge. */
  readonly merge: string;
}

/** The tables that the condition of a tier refers to. */
const MEMBERS = sql`leaderboard join accounts on accounts.id = leaderboard.account
  left join profiles on profiles.address = accounts.address`;
/** The same for the candidates of a search. */
const MEMBERS_OF = sql`accounts on accounts.address = candidates.address
  join leaderboard on leaderboard.account = accounts.id left join profiles on profiles.address = accounts.address`;
/** The members of a page and of those before it. */
export const END = sql<number>`(cast(${rowCount('limit')} as bigint) + ${rowCount('offset')})`;

const COLUMNS = ['account', 'prefix', ...COUNTED];
const ROW = sql.join(COLUMNS.map((column) => sql.ref(`leaderboard.${column}`)));

/** Reads the leaderboard in its order until the page is full. */
const scan = ({ matches, limit }: Tier) => sql`select ${ROW} from ${MEMBERS}
  where ${matches} order by leaderboard.followers desc, leaderboard.prefix, accounts.address limit ${limit}`;

/** Row ids of the index end with the id of the account, and start with what orders members, see `ROW_ID`. */
const ACCOUNT_IDS = 2 ** 27;
const MAX_FOLLOWERS = 2 ** 20 - 1;
/** Of the 52 bits of a prefix, 16 fit into a row id. */
const PREFIX_DIVISOR = 2 ** 36;
/** Members with equal follower counts and equal first digits are consecutive, in order of arrival. */
const ROW_ID = `((${MAX_FOLLOWERS} - min(cast(? as integer), ${MAX_FOLLOWERS})) * 65536
  + cast(? as integer) / ${PREFIX_DIVISOR}) * ${ACCOUNT_IDS} + cast(? as integer)`;

/**
 * An inverted index of grams: FTS5 stores the row ids of each gram sorted and compressed, and intersects several of them.
 * Its row ids are in the order of the leaderboard, so a page of a frequent term reads no more than its first members.
 */
export const sqliteSearchIndex: SearchIndex = {
  create: [
    `create virtual table leaderboard_grams using fts5
      (grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
    // Merging two segments of a level, the minimum, leaves two to four segments after many small changes.
    "insert into leaderboard_grams (leaderboard_grams, rank) values ('usermerge', 2)",
  ],
  maintain: {
    // Not batched: FTS5 would start a new segment with every multi-row insert.
    add: { text: `insert into leaderboard_grams (rowid, grams) values (${ROW_ID}, ?)`, batch: null },
    remove: { text: `delete from leaderboard_grams where rowid = ${ROW_ID}`, batch: null },
    merge: "insert into leaderboard_grams (leaderboard_grams, rank) values ('merge', ?)",
  },
  candidates: (term, tier) => {
    const sets = searchOf(term)[tier];
    if (sets === 'all') return null;
    return sets.map((grams) => `(${grams.map((gram) => `"${gram}"`).join(' AND ')})`).join(' OR ');
  },
  members: (tier) => {
    if (tier.candidates === null) return scan(tier);
    const matching = sql`from leaderboard_grams as grams
      cross join leaderboard on leaderboard.account = grams.rowid % ${sql.lit(ACCOUNT_IDS)}
      cross join accounts on accounts.id = leaderboard.account
      left join profiles on profiles.address = accounts.address
      where leaderboard_grams match ${param(tier.candidates)} and ${tier.matches}`;
    const first = sql`select ${ROW}, grams.rowid as position ${matching} order by grams.rowid limit ${tier.limit}`;
    // Above every row id if there is no member, since FTS5 would read them all for null.
    const last = sql`(select coalesce(max(position), ${sql.lit(2 ** 62)}) from first)`;
    // The order of addresses is not that of row ids, so the members that share the first digits of the last are read too.
    return sql`with first as materialized (${first})
      select ${sql.join(COLUMNS.map((column) => sql.ref(column)))} from first union all
      select ${ROW} ${matching} and grams.rowid > ${last}
        and grams.rowid < (${last} / ${sql.lit(ACCOUNT_IDS)} + 1) * ${sql.lit(ACCOUNT_IDS)}`;
  },
};

const PATTERNS: Readonly<Record<TierName, (escaped: string) => string>> = {
  equal: (escaped) => escaped,
  start: (escaped) => `${escaped}%`,
  within: (escaped) => `%${escaped}%`,
};
const MIN_TRIGRAM = 3;
/**
 * More candidates are not sorted: the leaderboard is read in its order until the page is full. On a million accounts,
 * sorting takes 54 µs for each, and a page of a term that 3,000 names have is found after 0.2 s.
 */
const MAX_SORTED = sql.lit(3_000);
/** A pattern that no address and no name matches. */
const NO_MEMBER = '0';

/** Trigram indexes on addresses and names, which PostgreSQL maintains. A shorter term is searched for in whole tables. */
export const postgresSearchIndex: SearchIndex = {
  create: [
    'create extension if not exists pg_trgm',
    'create index accounts_address_grams on accounts using gin (address gin_trgm_ops)',
    // With the address, so that a short term is looked for in the index and not in the table.
    'create index profiles_search_name on profiles (search_name, address)',
    'create index profiles_search_name_grams on profiles using gin (search_name gin_trgm_ops)',
  ],
  maintain: null,
  candidates: (term, tier) => {
    // Every address starts with these terms: then no member is left for the last tier.
    if ('0x'.startsWith(term) && tier !== 'equal') return tier === 'start' ? null : NO_MEMBER;
    if (tier === 'within' && term.length < MIN_TRIGRAM) return null;
    return PATTERNS[tier](term.replace(/[\\%_]/g, '\\$&'));
  },
  members: (tier) => {
    const { candidates } = tier;
    const may = (column: RawBuilder<unknown>) =>
      candidates === null ? sql`strpos(${column}, ${param('term')}) > 0` : sql`${column} like ${param(candidates)}`;
    const some = (table: RawBuilder<unknown>, column: RawBuilder<unknown>) =>
      sql`(select address from ${table} where ${may(column)} limit ${MAX_SORTED} + 1)`;
    const isFrequent = sql`(select count(*) from candidates) > ${MAX_SORTED}`;
    return sql`with candidates as materialized (
        ${some(sql`accounts`, sql`address`)} union ${some(sql`profiles`, sql`search_name`)})
      (select ${ROW} from candidates join ${MEMBERS_OF} where ${tier.matches}
        order by leaderboard.followers desc, leaderboard.prefix, accounts.address
        limit case when ${isFrequent} then 0 else ${tier.limit} end)
      union all (${scan({ ...tier, limit: sql`(case when ${isFrequent} then ${tier.limit} else 0 end)` })})`;
  },
};
