import { type RawBuilder, sql } from 'kysely';
import type { GramSets } from '../graph/search-grams.ts';
import { param, rowCount } from './prepare.ts';

/**
 * The index by which the leaderboard is searched: for each gram the places that it is found at, in order. Places of
 * several accounts hold the grams of all of them.
 */
export interface SearchIndex {
  /** Makes it, empty. */
  readonly create: readonly string[];
  /** Bulk statements that take places, and the grams that are (or were) there as a text. */
  readonly add: string;
  readonly remove: string;
  /** Sets what the engine lets be set. */
  readonly tune: readonly string[];
  /** Merges parts of a size that changes have left, if it does: takes the most pages to write; negative to merge all. */
  readonly merge: string | null;
  /** What to bind for those who have the grams of one of `sets`. */
  bind(sets: GramSets): string;
  /**
   * The text of the time at which ranks were made, and then the entries on a page of those who match `:term`: tier by
   * tier, in the order of the board.
   */
  page(tiers: readonly Tier[]): RawBuilder<Found>;
}

export interface Found {
  readonly entry: string;
}

export interface Tier {
  /** Which of the accounts that are looked at belong to it. */
  readonly holds: RawBuilder<boolean>;
  /** The parameter that tells whom to look at; null for everybody. */
  readonly suspects: string | null;
}

const join = (tiers: readonly RawBuilder<unknown>[]) => sql.join(tiers, sql` union all `);
const everybody = ({ holds }: Tier) => sql`select place, address, entry from leaderboard where ${holds}`;

/**
 * FTS5 keeps each gram's places in order, packed, and goes through several grams' places in step; we keep our own
 * grams in it, and no text.
 */
export const sqliteSearchIndex: SearchIndex = {
  create: [
    `create virtual table leaderboard_grams using fts5
      (grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
  ],
  // Two parts of a size are enough to be merged: of one large part and many changes that leaves two to four in all.
  tune: ["insert into leaderboard_grams (leaderboard_grams, rank) values ('usermerge', 2)"],
  add: 'insert into leaderboard_grams (rowid, grams) values (?, ?)',
  remove: 'delete from leaderboard_grams where rowid = ? and ? is not null',
  merge: "insert into leaderboard_grams (leaderboard_grams, rank) values ('merge', ?)",
  bind: (sets) => sets.map((grams) => `(${grams.map((gram) => `"${gram}"`).join(' AND ')})`).join(' OR '),
  // The tiers are read one after the other, and no further than the page needs; within a place by address.
  page: (tiers) => {
    const arms = tiers.map((tier) =>
      tier.suspects === null
        ? sql`select entry from (${everybody(tier)} order by place, address)`
        : sql`select entry from (
            select leaderboard.entry from leaderboard_grams cross join leaderboard on place = leaderboard_grams.rowid
            where leaderboard_grams match ${param(tier.suspects)} and ${tier.holds} order by leaderboard_grams.rowid)`,
    );
    return sql`select cast(value as text) as entry from state where key = 'ranks_made_at' union all
      select entry from (${join(arms)} limit ${rowCount('limit')} offset ${rowCount('offset')})`;
  },
};

/** Of each set the first gram alone is looked for: names and addresses that hold it are few enough to look at. */
export const postgresSearchIndex: SearchIndex = {
  create: [
    `create table leaderboard_grams (gram text collate "C" not null, place bigint not null, primary key (gram, place))`,
  ],
  add: `insert into leaderboard_grams (gram, place)
    select gram, place from unnest($1::bigint[], $2::text[]) as given(place, grams),
      unnest(string_to_array(grams, ' ')) as gram`,
  remove: `delete from leaderboard_grams t
    using unnest($1::bigint[], $2::text[]) as given(place, grams), unnest(string_to_array(grams, ' ')) as old(gram)
    where t.gram = old.gram and t.place = given.place`,
  tune: [],
  merge: null,
  bind: (sets) => JSON.stringify(sets.map(([gram]) => gram)),
  // Nothing promises an order here that is not asked for, so each tier gives as many as the page could need. It is not
  // read where those before it have given enough.
  page: (tiers) => {
    const needed = sql`cast(${rowCount('limit')} as bigint) + ${rowCount('offset')}`;
    const nameOf = (number: number) => sql.ref(`tier${number}`);
    const isLacking = (number: number) => {
      const counts = tiers.slice(0, number).map((_, before) => sql`(select count(*) from ${nameOf(before)})`);
      return sql`${sql.join([sql`0`, ...counts], sql` + `)} < ${needed}`;
    };
    const one = ({ suspects, holds }: Tier, number: number, at: number) => sql`(
      select leaderboard.place, leaderboard.address, leaderboard.entry
      from leaderboard_grams join leaderboard on leaderboard.place = leaderboard_grams.place
      where gram = (${param(suspects ?? '')}::jsonb ->> ${sql.lit(at)}) and ${holds} and ${isLacking(number)}
      order by leaderboard_grams.place, leaderboard.address limit ${needed})`;
    const found = tiers.map((tier, number) => {
      const rows =
        tier.suspects === null
          ? sql`${everybody(tier)} and ${isLacking(number)} order by place, address limit ${needed}`
          : sql`${one(tier, number, 0)} union ${one(tier, number, 1)}`;
      return sql`${nameOf(number)} as materialized (${rows})`;
    });
    const arms = tiers.map((_, number) => sql`select ${sql.lit(number)} as tier, * from ${nameOf(number)}`);
    return sql`with ${sql.join(found)} select entry from (
        select -1 as tier, 0 as place, '' as address, value::text as entry from state where key = 'ranks_made_at'
        union all (select * from (${join(arms)}) as found order by tier, place, address
          limit ${rowCount('limit')} offset ${rowCount('offset')})
      ) as dated order by tier, place, address`;
  },
};
