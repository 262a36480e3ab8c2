import { type RawBuilder, sql } from 'kysely';
import { COUNT_KEYS, type CountName, type CountRows } from '../../contract/leaderboard-schemas.ts';
import { type Measure, RARELY_COUNTED, type RareCount } from '../../graph/counts.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Dialect } from '../../store/dialect.ts';
import { type Statement, selectRows, statements } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { byGreatest, type Start, selectPage, startOf } from '../order.ts';
import { KEEP_ORDER, type Page } from '../page.ts';
import { MEMBER_ADDRESS } from './members.ts';
import { RANKED_AT, type RankBook } from './rank-book.ts';

/** The counts of the lists, by the names of these. */
const MEASURES: Readonly<Record<CountName, Measure>> = {
  followers: 'followers',
  following: 'following',
  mutuals: 'mutuals',
  blocked: 'blocks',
  blocks: 'blocks_given',
  muted: 'mutes',
  mutes: 'mutes_given',
};

/** Null on an empty page. */
interface Row {
  readonly ranked_at: number;
  readonly count: number | null;
  readonly address: Address | null;
}

const pageOf = statements(
  (measure: Measure, start: Start): Statement<Page, Row> => ({
    build(db, dialect) {
      const page = isRare(measure)
        ? selectCounts(dialect, sql`rare_counts`, sql`count`, sql`measure = ${sql.lit(measure)}`, start)
        : selectCounts(dialect, sql`leaderboard`, sql.ref(measure), sql`${sql.ref(measure)} > 0`, start);
      const found = sql`select ranking.ranked_at, counted.* from (select ${RANKED_AT} as ranked_at) as ranking
        left join (select * from (${page}) as page ${KEEP_ORDER}) as counted on 1 = 1`;
      return selectRows(db, found);
    },
  }),
);

function isRare(measure: Measure): measure is RareCount {
  return RARELY_COUNTED.some((rare) => rare === measure);
}

function selectCounts(
  dialect: Dialect,
  rows: RawBuilder<unknown>,
  count: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  start: Start,
): RawBuilder<unknown> {
  const columns = sql`${count} as count, ${MEMBER_ADDRESS}`;
  return selectPage(dialect, { columns, rows, where, order: byGreatest(count) }, start);
}

/** The accounts with the greatest counts. Equal counts have equal ranks, on different pages too. */
export async function readCountRows<N extends CountName>(
  reader: Reader,
  rankBook: RankBook,
  name: N,
  { limit, offset }: Page,
): Promise<CountRows<N>> {
  const measure = MEASURES[name];
  const { rows, ranking } = await rankBook.with(reader, async () => {
    const rows = await reader.all(pageOf(measure, startOf({ offset })), { limit, offset });
    return { rows, rankedAt: rows[0]?.ranked_at ?? 0 };
  });
  const counted = rows.filter(({ address }) => address !== null);
  // Safe: each row has the key of its count.
  return counted.map(({ address, count }) => {
    return { rank: Number(ranking.rank(measure, count)), address, [COUNT_KEYS[name]]: `${count}` };
  }) as object as CountRows<N>;
}
