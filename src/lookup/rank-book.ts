import { COUNTED, type Counts } from '../graph/counts.ts';
import type { Row } from '../store/schema.ts';
import type { Reader } from '../store/store.ts';

/** Ranks by count, both as text. */
export type Ranks = Readonly<Record<keyof Counts, ReadonlyMap<string, string>>>;

/** Reads rows and, in the same statement, the time of the ranking they belong to. */
type Find<T> = () => Promise<{ readonly rankedAt: number; readonly found: T }>;

/** Caches the ranks by count: they are few, and change only with a ranking. */
export interface RankBook {
  /** Runs `find` and returns its result with the ranks of the same ranking. */
  with<T>(find: Find<T>): Promise<{ found: T; ranks: Ranks; rankedAt: number }>;
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
  let book: { ranks: Ranks; rankedAt: number } | null = null;

  async function read(): Promise<NonNullable<typeof book>> {
    const rows = await all({});
    const maps = COUNTED.map((measure) => [measure, new Map<string, string>()] as const);
    // Safe: there is an entry for every measure.
    const ranks = Object.fromEntries(maps) as Record<keyof Counts, Map<string, string>>;
    for (const { measure, count, rank } of rows) if (measure !== null) ranks[measure].set(`${count}`, `${rank}`);
    return { ranks, rankedAt: rows[0]?.made_at ?? 0 };
  }

  return {
    async with(find) {
      for (;;) {
        const { found, rankedAt } = await find();
        if (book?.rankedAt !== rankedAt) book = await read();
        // A ranking has been committed between the two queries: read again.
        if (book.rankedAt === rankedAt) return { found, ranks: book.ranks, rankedAt };
      }
    },
  };
}
