import { type RawBuilder, sql } from 'kysely';
import type { GramSets } from '../graph/search-grams.ts';
import type { BulkStatement } from './executor.ts';
import { param, rowCount } from './prepare.ts';

/**
 * The inverted index for searching the leaderboard: for each gram, the sort keys (`leaderboard.place`) of the accounts
 * that have it, in order. If accounts share a sort key, it has the grams of all of them.
 */
export interface SearchIndex {
  /** DDL of the empty index. */
  readonly create: readonly string[];
  /** Add and remove sort keys. Parameters: the sort key, and its grams separated by spaces. */
  readonly add: BulkStatement;
  readonly remove: BulkStatement;
  /** Settings of the index. */
  readonly tune: readonly string[];
  /** Merges index segments. Parameter: the maximum number of pages to write, negative for a full merge. */
  readonly merge: string | null;
  /** The parameter that selects candidates: the accounts that have all grams of one of the sets. */
  bind(sets: GramSets): string;
  /**
   * Returns the time when ranks were computed, as text, and then one page of the entries that match `:term`: tier by
   * tier, and in leaderboard order within a tier.
   */
  page(tiers: readonly Tier[]): RawBuilder<Found>;
}

export interface Found {
  readonly entry: string;
}

export interface Tier {
  /** The condition that a candidate must meet. */
  readonly matches: RawBuilder<boolean>;
  /** The name of the parameter from `bind`; null if every account is a candidate. */
  readonly candidates: string | null;
}

const unionAll = (queries: readonly RawBuilder<unknown>[]) => sql.join(queries, sql` union all `);
const scan = ({ matches }: Tier, columns: string) => sql`select ${sql.raw(columns)} from leaderboard where ${matches}`;

/** FTS5 stores each gram's row ids sorted and compressed, and intersects several of them. Its documents are our grams. */
export const sqliteSearchIndex: SearchIndex = {
  create: [
    `create virtual table leaderboard_grams using fts5
      (grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
  ],
  // Merging two segments of a level, the minimum, leaves two to four segments after many small changes.
  tune: ["insert into leaderboard_grams (leaderboard_grams, rank) values ('usermerge', 2)"],
  // Not batched: FTS5 would start a new segment with every multi-row insert.
  add: { text: 'insert into leaderboard_grams (rowid, grams) values (?, ?)', batch: null },
  remove: { text: 'delete from leaderboard_grams where rowid = ? and ? is not null', batch: null },
  merge: "insert into leaderboard_grams (leaderboard_grams, rank) values ('merge', ?)",
  bind: (sets) => sets.map((grams) => `(${grams.map((gram) => `"${gram}"`).join(' AND ')})`).join(' OR '),
  // SQLite runs the parts of a union in order and stops at the limit. Rows with one row id come in order of address.
  page: (tiers) => {
    const pages = tiers.map((tier) =>
      tier.candidates === null
        ? sql`select entry from (${scan(tier, 'place, address, entry')} order by place, address)`
        : sql`select entry from (
            select leaderboard.entry from leaderboard_grams cross join leaderboard on place = leaderboard_grams.rowid
            where leaderboard_grams match ${param(tier.candidates)} and ${tier.matches} order by leaderboard_grams.rowid)`,
    );
    return sql`select cast(value as text) as entry from state where key = 'ranks_made_at' union all
      select entry from (${unionAll(pages)} limit ${rowCount('limit')} offset ${rowCount('offset')})`;
  },
};

/** A plain table of grams. Only the first gram of each set is looked up: it leaves few candidates to check. */
export const postgresSearchIndex: SearchIndex = {
  create: [
    `create table leaderboard_grams (gram text collate "C" not null, place bigint not null, primary key (gram, place))`,
  ],
  add: {
    text: `insert into leaderboard_grams (gram, place)
      select gram, place from unnest($1::bigint[], $2::text[]) as given(place, grams),
        unnest(string_to_array(grams, ' ')) as gram`,
    batch: null,
  },
  remove: {
    text: `delete from leaderboard_grams t
      using unnest($1::bigint[], $2::text[]) as given(place, grams), unnest(string_to_array(grams, ' ')) as old(gram)
      where t.gram = old.gram and t.place = given.place`,
    batch: null,
  },
  tune: [],
  merge: null,
  bind: (sets) => JSON.stringify(sets.map(([gram]) => gram)),
  // A union has no guaranteed order, so each tier returns up to `limit + offset` rows and the result is sorted. A tier is
  // not read if the tiers before it have returned enough. Entries are joined last: with a deep offset, sorting them
  // wrote a gigabyte of temporary files.
  page: (tiers) => {
    const needed = sql`cast(${rowCount('limit')} as bigint) + ${rowCount('offset')}`;
    const nameOf = (number: number) => sql.ref(`tier${number}`);
    const needsMore = (number: number) => {
      const counts = tiers.slice(0, number).map((_, before) => sql`(select count(*) from ${nameOf(before)})`);
      return sql`${sql.join([sql`0`, ...counts], sql` + `)} < ${needed}`;
    };
    const byGram = ({ candidates, matches }: Tier, number: number, at: number) => sql`(
      select leaderboard.place, leaderboard.address
      from leaderboard_grams join leaderboard on leaderboard.place = leaderboard_grams.place
      where gram = (${param(candidates ?? '')}::jsonb ->> ${sql.lit(at)}) and ${matches} and ${needsMore(number)}
      order by leaderboard_grams.place, leaderboard.address limit ${needed})`;
    const ctes = tiers.map((tier, number) => {
      const rows =
        tier.candidates === null
          ? sql`${scan(tier, 'place, address')} and ${needsMore(number)} order by place, address limit ${needed}`
          : sql`${byGram(tier, number, 0)} union ${byGram(tier, number, 1)}`;
      return sql`${nameOf(number)} as materialized (${rows})`;
    });
    const found = tiers.map((_, number) => sql`select ${sql.lit(number)} as tier, * from ${nameOf(number)}`);
    const page = sql`select * from (${unionAll(found)}) as found order by tier, place, address
      limit ${rowCount('limit')} offset ${rowCount('offset')}`;
    return sql`with ${sql.join(ctes)} select coalesce(time, (select entry from leaderboard
        where leaderboard.place = keys.place and leaderboard.address = keys.address)) as entry
      from (
        select -1 as tier, 0 as place, '' as address, value::text as time from state where key = 'ranks_made_at'
        union all select page.*, null from (${page}) as page
        order by tier, place, address
      ) as keys`;
  },
};
