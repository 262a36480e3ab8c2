import { sql } from 'kysely';
import type { AccountDetails, Stats } from '../../contract/schemas.ts';
import { COUNTED, type Counts } from '../../graph/counts.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Reader } from '../../store/store.ts';
import { parseEns } from '../edges/edge-entries.ts';
import { RANKED_AT, type RankBook, ranksOf } from '../leaderboard/rank-book.ts';
import { ACCOUNT, type AccountRef, ADDRESS, aboutRef, readAbout } from '../refs/account-ref.ts';
import { NO_STATS, selectStats } from './stats.ts';

type DetailsRow = { readonly ens: string | null; readonly ranked_at: number } & Readonly<
  Record<keyof Counts | keyof Stats, number | null>
>;

const detailsOf = aboutRef<object, DetailsRow>(({ kind }) => {
  const counts = sql.join(COUNTED.map((count) => sql.ref(`leaderboard.${count}`)));
  return sql`select ${RANKED_AT} as ranked_at, ens, stats.*, ${counts}
    from (select 1 as one) as one left join profiles on profiles.address = ${ADDRESS}
    left join (${selectStats(kind)}) as stats on 1 = 1
    left join leaderboard on leaderboard.account = ${ACCOUNT}`;
});

/** Profile, ranks, primary list and current counts of an account. */
export async function readDetails(
  reader: Reader,
  rankBook: RankBook,
  ref: AccountRef,
): Promise<AccountDetails & { readonly address: Address }> {
  const { referent, row, ranking } = await rankBook.with(reader, async () => {
    const { referent, rows } = await readAbout(reader, detailsOf, ref, {});
    const [row] = rows;
    if (row === undefined) throw new Error('the database has no state');
    return { referent, row, rankedAt: row.ranked_at };
  });
  const address = referent.ref_address;
  return {
    address,
    ens: parseEns(row.ens, address),
    ranks: ranksOf(ranking, row),
    primary_list: referent.ref_primary_list ?? '',
    followers_count: row.followers_count ?? NO_STATS.followers_count,
    following_count: row.following_count ?? NO_STATS.following_count,
  };
}
