import { COUNTED, type Counts } from '../graph/counts.ts';
import type { Row } from '../store/schema.ts';
import type { Reader } from '../store/store.ts';

/** The text of each rank by the text of the count that it goes with. */
export type Ranks = Readonly<Record<keyof Counts, ReadonlyMap<string, string>>>;

/** Finds something together with the time at which the ranks were made that go with it. */
type Find<T> = () => Promise<{ readonly madeAt: number; readonly found: T }>;

/** Ranks by count, kept in memory: they are few, and the same until they are made again. */
export interface RankBook {
  /** Finds something, and the ranks of the very making that it belongs to. */
  with<T>(find: Find<T>): Promise<{ found: T; ranks: Ranks; madeAt: number }>;
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
  let book: { ranks: Ranks; madeAt: number } | null = null;

  async function read(): Promise<NonNullable<typeof book>> {
    const rows = await all({});
    const maps = COUNTED.map((measure) => [measure, new Map<string, string>()] as const);
    // Safe: it has an entry for every measure.
    const ranks = Object.fromEntries(maps) as Record<keyof Counts, Map<string, string>>;
    for (const { measure, count, rank } of rows) if (measure !== null) ranks[measure].set(`${count}`, `${rank}`);
    return { ranks, madeAt: rows[0]?.made_at ?? 0 };
  }

  return {
    async with(find) {
      for (;;) {
        const { found, madeAt } = await find();
        if (book?.madeAt !== madeAt) book = await read();
        // If ranks were made again between the two questions, the first is put again.
        if (book.madeAt === madeAt) return { found, ranks: book.ranks, madeAt };
      }
    },
  };
}
