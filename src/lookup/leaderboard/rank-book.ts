import { type RawBuilder, sql } from 'kysely';
import type { AccountDetails } from '../../contract/schemas.ts';
import { COUNTED, type Counts, type Measure, RARELY_COUNTED } from '../../graph/counts.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Row } from '../../store/schema.ts';
import { statement } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';

/** When ranks were last computed, in Unix milliseconds. */
export const RANKED_AT = sql<number>`(select value from state where key = 'ranked_at')`;

/** A row of a page, and when ranks were last computed. The columns of the page are null if it is empty. */
export type Ranked<R> = { readonly ranked_at: number } & { readonly [C in keyof R]: R[C] | null };

/** Selects a page and, in the same snapshot, the time of the ranking and `more` that does not depend on the page. */
export function selectRanked(page: RawBuilder<unknown>, more = sql``): RawBuilder<unknown> {
  return sql`select ranking.*, page.* from (select ${RANKED_AT} as ranked_at ${more}) as ranking
    left join (${page}) as page on 1 = 1`;
}

/** The rows of such a page, and the time of their ranking. */
export function rankedRows<R extends { readonly address: Address }>(
  found: readonly Ranked<R>[],
): { rankedAt: number; rows: readonly R[] } {
  // Safe: only the row of an empty page has no address.
  const rows = found.filter(({ address }) => address !== null) as readonly object[] as readonly R[];
  return { rankedAt: found[0]?.ranked_at ?? 0, rows };
}

/** What all entries of one ranking share. */
export interface Ranking {
  /** In Unix milliseconds. */
  readonly rankedAt: number;
  /** The same as ISO 8601. */
  readonly time: string;
  /** The rank of a count, as text; 0 for null, which is a count of an account outside the leaderboard. */
  rank(measure: Measure, count: number | null): string;
}

const allRanks = statement<object, Ranked<Row<'ranks'>>>((db) =>
  db
    .selectFrom('state')
    .leftJoin('ranks', (join) => join.onTrue())
    .select(['state.value as ranked_at', 'measure', 'count', 'rank'])
    .where('state.key', '=', 'ranked_at'),
);

/** The rank of an account that is not on the leaderboard. */
const UNRANKED = '0';
/** A ranking is made once in a minute, so the second attempt nearly always succeeds. */
const MAX_ATTEMPTS = 5;

/** Caches the ranks by count: they are few, and change only with a ranking. */
export class RankBook {
  #ranking: Ranking | undefined;

  /** Returns what `find` has read, with the ranking that it belongs to: `find` reads the time of the ranking too. */
  async with<T extends { readonly rankedAt: number }>(
    reader: Reader,
    find: () => Promise<T>,
  ): Promise<T & { ranking: Ranking }> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const found = await find();
      if (this.#ranking?.rankedAt !== found.rankedAt) this.#ranking = await readRanking(reader);
      if (this.#ranking.rankedAt === found.rankedAt) return { ...found, ranking: this.#ranking };
    }
    throw new Error(`the ranks have changed during each of ${MAX_ATTEMPTS} attempts to read them`);
  }
}

async function readRanking(reader: Reader): Promise<Ranking> {
  const rows = await reader.all(allRanks, {});
  const measures: readonly Measure[] = [...COUNTED, ...RARELY_COUNTED];
  const ranks = new Map(measures.map((measure) => [measure, new Map<number, string>()]));
  for (const { measure, count, rank } of rows) {
    if (measure !== null && count !== null) ranks.get(measure)?.set(count, `${rank}`);
  }
  const rankedAt = rows[0]?.ranked_at ?? 0;
  return {
    rankedAt,
    time: new Date(rankedAt).toISOString(),
    rank: (measure, count) => (count === null ? UNRANKED : (ranks.get(measure)?.get(count) ?? UNRANKED)),
  };
}

/** The five ranks of an account; its counts are null outside the leaderboard. */
export function ranksOf(
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
