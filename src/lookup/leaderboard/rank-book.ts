import { sql } from 'kysely';
import type { UnixMs } from '../../async/unix-time.ts';
import type { AccountDetails } from '../../contract/schemas.ts';
import { COUNTED, type Counts, MEASURES, type Measure } from '../../graph/counts.ts';
import { ranksOfCounts } from '../../graph/ranks.ts';
import {
  columns,
  type Headed,
  type Query,
  type RowOf,
  type Select,
  type Statement,
  select,
  splitHead,
  statement,
  withHead,
} from '../../store/statement.ts';
import type { Reader, StreamReader } from '../../store/store.ts';

/** When ranks were last computed, in Unix milliseconds: read in the snapshot of what is ranked. */
export const RANKED = { ranked_at: sql<number>`(select value from state where key = 'ranked_at')` };

/** The counts among the columns of a table. */
export function countsIn<C extends { readonly [N in keyof Counts]: unknown }>(columns: C): Pick<C, keyof Counts> {
  // Safe: these are the names of the counts.
  return Object.fromEntries(COUNTED.map((name) => [name, columns[name]])) as Pick<C, keyof Counts>;
}

/** A row of a page with the time of the ranking before its rows. */
export type Ranked<R> = Headed<RowOf<typeof RANKED>, R>;

export function selectRanked<R>(page: Select<R>): Query<Ranked<R>> {
  return withHead(select(RANKED), page).query;
}

/** The rows of such a page, and the time of their ranking. */
function rankedRows<R>(found: readonly Ranked<R>[]): { rankedAt: number; rows: readonly R[] } {
  const { head, rows } = splitHead(found);
  return { rankedAt: head?.ranked_at ?? 0, rows };
}

/** What all entries of one ranking share. */
export interface Ranking {
  /** In Unix milliseconds. */
  readonly rankedAt: number;
  /** The same as ISO 8601, or the time at which it was read. */
  readonly time: string;
  /** The rank of a count, as text; 0 for null, which is a count of an account outside the leaderboard. */
  rank(measure: Measure, count: number | null): string;
}

const { measure, count, accounts } = columns('ranked_counts');
const rankedCounts = statement(() => selectRanked(select({ measure, count, accounts }, sql`from ranked_counts`)));

/** The rank of an account that is not on the leaderboard. */
const UNRANKED = '0';
/** A ranking has a part for each 400 changed accounts. The second attempt nearly always falls between two of them. */
const MAX_ATTEMPTS = 5;

/** Caches the ranks by count: they are few, and change only with a ranking. */
export class RankBook {
  readonly #now: () => UnixMs;
  #ranking: Ranking | undefined;

  constructor(now: () => UnixMs = Date.now) {
    this.#now = now;
  }

  /** Returns what `find` has read, with the ranking that it belongs to: `find` reads the time of the ranking too. */
  async with<T extends { readonly rankedAt: number }>(
    reader: Reader,
    find: () => Promise<T>,
  ): Promise<T & { ranking: Ranking }> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const before = this.#ranking;
      const found = await find();
      // Another request may have read a later ranking meanwhile.
      let ranking = [before, this.#ranking].find((known) => known?.rankedAt === found.rankedAt);
      if (ranking === undefined) {
        ranking = await readRanking(reader, this.#now());
        this.#ranking = ranking;
      }
      if (ranking.rankedAt === found.rankedAt) return { ...found, ranking };
    }
    throw new Error(`the ranks have changed during each of ${MAX_ATTEMPTS} attempts to read them`);
  }

  /** The rows of any number of members, with their ranking. */
  async *stream<P extends object, R>(reader: Reader & StreamReader, query: Statement<P, Ranked<R>>, params: P) {
    let chunks: AsyncGenerator<Ranked<R>[]> | undefined;
    try {
      const first = await this.with(reader, async () => {
        // The ranking of the attempt before has ended.
        await chunks?.return(undefined);
        chunks = reader.stream(query, params);
        const { value } = await chunks.next();
        return rankedRows<R>(value ?? []);
      });
      const { ranking } = first;
      yield { ranking, rows: first.rows };
      // Safe: only the first row has the columns of the head.
      for await (const rows of chunks ?? []) yield { ranking, rows: rows as readonly unknown[] as readonly R[] };
    } finally {
      await chunks?.return(undefined);
    }
  }

  /** The rows of a ranked page. */
  read<P extends object, R>(reader: Reader, query: Statement<P, Ranked<R>>, params: P) {
    return this.with(reader, async () => rankedRows(await reader.all(query, params)));
  }
}

async function readRanking(reader: Reader, now: UnixMs): Promise<Ranking> {
  const { rankedAt, rows } = rankedRows(await reader.all(rankedCounts, {}));
  const byMeasure = Map.groupBy(rows, ({ measure }) => measure);
  const ranks = new Map(MEASURES.map((measure) => [measure, ranksOfCounts(byMeasure.get(measure) ?? [])]));
  return {
    rankedAt,
    // A clock that was ahead may have written a time in the future.
    time: new Date(Math.min(rankedAt, now)).toISOString(),
    rank: (measure, count) => (count === null ? UNRANKED : (ranks.get(measure)?.get(count) ?? UNRANKED)),
  };
}

/** The five ranks of an account; its counts are null outside the leaderboard. */
export function ranksOfAccount(
  { rank }: Ranking,
  counts: Readonly<Record<keyof Counts, number | null>>,
): AccountDetails['ranks'] {
  return {
    mutuals_rank: rank('mutuals', counts.mutuals),
    followers_rank: rank('followers', counts.followers),
    following_rank: rank('following', counts.following),
    top8_rank: rank('top8', counts.top8),
    blocks_rank: rank('blocks', counts.blocks),
  };
}
