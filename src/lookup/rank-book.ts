import { sql } from 'kysely';
import { type CompleteEntry, createCompleteEntry } from '../contract/complete-entry.ts';
import { COUNTED, type Counts } from '../graph/counts.ts';
import type { Row } from '../store/schema.ts';
import type { Reader } from '../store/store.ts';
import { getOrCreate } from './get-or-create.ts';

/** Ranks by count, both as text. */
export type Ranks = Readonly<Record<keyof Counts, ReadonlyMap<string, string>>>;

/** What all entries of one ranking share. */
export interface Ranking {
  readonly ranks: Ranks;
  /** Unix milliseconds. */
  readonly rankedAt: number;
  /** The same as ISO 8601. */
  readonly time: string;
  readonly complete: CompleteEntry;
  /** The count of the member at a position by a measure, descending, and how many before it have the same. */
  groupAt(measure: keyof Counts, position: number): { readonly count: number; readonly skipped: number };
}

/** When ranks were last computed. */
export const RANKED_AT = sql<number>`(select value from state where key = 'ranks_made_at')`;

/** Reads rows and, in the same statement, the time of the ranking they belong to. */
type Find<T> = (ranking: Ranking) => Promise<{ readonly rankedAt: number; readonly found: T }>;

/** Caches the ranks by count: they are few, and change only with a ranking. */
export interface RankBook {
  /** Runs `find`, again if it has read of another ranking than the given one, and returns its result with the ranking. */
  with<T>(find: Find<T>): Promise<{ found: T; ranking: Ranking }>;
}

type Ranked = { made_at: number } & { [C in keyof Row<'ranks'>]: Row<'ranks'>[C] | null };

export function createRankBook(reader: Reader): RankBook {
  const all = reader.prepare<object, Ranked>((db) =>
    db
      .selectFrom('state')
      .leftJoin('ranks', (join) => join.onTrue())
      .select(['state.value as made_at', 'measure', 'count', 'rank'])
      .where('state.key', '=', 'ranks_made_at'),
  );
  let book: Ranking | null = null;

  async function read(): Promise<Ranking> {
    const rows = await all({});
    const maps = COUNTED.map((measure) => [measure, new Map<string, string>()] as const);
    // Safe: there is an entry for every measure.
    const ranks = Object.fromEntries(maps) as Record<keyof Counts, Map<string, string>>;
    for (const { measure, count, rank } of rows) if (measure !== null) ranks[measure].set(`${count}`, `${rank}`);
    const rankedAt = rows[0]?.made_at ?? 0;
    const time = new Date(rankedAt).toISOString();
    return { ranks, rankedAt, time, complete: createCompleteEntry(ranks, time), groupAt: createGroupAt(ranks) };
  }

  return {
    async with(find) {
      for (;;) {
        // Not awaited when it is known, so that the query joins the current batch.
        const ranking = book ?? (book = await read());
        const { found, rankedAt } = await find(ranking);
        if (ranking.rankedAt === rankedAt) return { found, ranking };
        book = null;
      }
    },
  };
}

function createGroupAt(ranks: Ranks): Ranking['groupAt'] {
  const groupsOf = (measure: keyof Counts) =>
    [...ranks[measure]]
      .map(([count, rank]) => ({ count: Number(count), start: Number(rank) - 1 }))
      .sort((a, b) => a.start - b.start);
  const groups = new Map<keyof Counts, ReturnType<typeof groupsOf>>();
  return (measure, position) => {
    const all = getOrCreate(groups, measure, () => groupsOf(measure));
    const { count, start } = all.findLast((group) => group.start <= position) ?? { count: 0, start: 0 };
    return { count, skipped: position - start };
  };
}
