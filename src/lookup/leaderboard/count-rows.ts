import { type RawBuilder, sql } from 'kysely';
import { COUNT_KEYS, type CountName, type CountRows } from '../../contract/leaderboard-schemas.ts';
import { type Measure, RARELY_COUNTED, type RareCount } from '../../graph/counts.ts';
import type { Address } from '../../protocol/hex.ts';
import { selectRows, statement, statements } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { byGreatest, type Start, selectPage, startOf } from '../order.ts';
import { KEEP_ORDER, type Page } from '../page.ts';
import { MEMBER_ADDRESS } from './members.ts';
import { type RankBook, type Ranked, rankedRows, selectRanked } from './rank-book.ts';

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

interface Row {
  readonly count: number;
  readonly address: Address;
}

const pageOf = statements((measure: Measure, start: Start) =>
  statement<Page, Ranked<Row>>((db) => {
    const page = isRare(measure)
      ? selectCounts(sql`rare_counts`, sql`count`, sql`measure = ${sql.lit(measure)}`, start)
      : selectCounts(sql`leaderboard`, sql.ref(measure), sql`${sql.ref(measure)} > 0`, start);
    return selectRows(db, selectRanked(sql`select * from (${page}) as counted ${KEEP_ORDER}`));
  }),
);

function isRare(measure: Measure): measure is RareCount {
  return RARELY_COUNTED.some((rare) => rare === measure);
}

function selectCounts(
  rows: RawBuilder<unknown>,
  count: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  start: Start,
): RawBuilder<unknown> {
  const columns = sql`${count} as count, ${MEMBER_ADDRESS}`;
  return selectPage({ columns, rows, where, order: byGreatest(count) }, start);
}

/** The accounts with the greatest counts. Equal counts have equal ranks, on different pages too. */
export async function readCountRows<N extends CountName>(
  reader: Reader,
  rankBook: RankBook,
  name: N,
  { limit, offset }: Page,
): Promise<CountRows<N>> {
  const measure = MEASURES[name];
  const query = pageOf(measure, startOf({ offset }));
  const { rows, ranking } = await rankBook.with(reader, async () =>
    rankedRows(await reader.all(query, { limit, offset })),
  );
  // Safe: each row has the key of its count.
  return rows.map(({ address, count }) => {
    return { rank: Number(ranking.rank(measure, count)), address, [COUNT_KEYS[name]]: `${count}` };
  }) as object as CountRows<N>;
}
