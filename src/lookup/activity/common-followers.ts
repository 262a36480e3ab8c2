import { sql } from 'kysely';
import type { CommonFollowersBody } from '../../contract/lookup-schemas.ts';
import { RELATION_CODES } from '../../graph/relation.ts';
import type { Address } from '../../protocol/hex.ts';
import { param } from '../../store/params.ts';
import type { Reader } from '../../store/store.ts';
import { OTHER_RECORDS } from '../edges/following.ts';
import { type RankBook, type Ranked, rankedRows, selectRanked } from '../leaderboard/rank-book.ts';
import { PAGE, type Page } from '../page.ts';
import { type AccountRef, aboutRef, readAbout } from '../refs/account-ref.ts';
import { type CardRow, cardOf, selectCards } from './cards.ts';

export interface CommonFollowersPage extends Page {
  readonly leader: Address;
}

const FOLLOW = sql.lit(RELATION_CODES.follow);

type Row = Ranked<CardRow> & { readonly length: number };

const commonOf = aboutRef<CommonFollowersPage, Row>(() => {
  const leader = sql`(select id from accounts where address = ${param('leader')})`;
  // An account follows fewer than may follow the leader.
  const common = sql`select records.account, coalesce(leaderboard.mutuals, -1) as mutuals, followed.address
      from records join accounts as followed on followed.id = records.account
      join records as theirs on theirs.slot = followed.active_slot and theirs.account = ${leader}
      left join leaderboard on leaderboard.account = records.account
      where ${OTHER_RECORDS} and records.relation = ${FOLLOW} and theirs.relation = ${FOLLOW} and records.account <> ${leader}`;
  const page = sql`select account, row_number() over (order by mutuals desc, address) as position from common
      order by mutuals desc, address ${PAGE}`;
  const length = sql`, (select count(*) from common) as length`;
  return sql`with common as (${common}) ${selectRanked(selectCards(page, false), length)}`;
});

/** The accounts that an account follows and that follow another one, the leader. */
export async function readCommonFollowers(
  reader: Reader,
  rankBook: RankBook,
  ref: AccountRef,
  { leader, limit, offset }: CommonFollowersPage,
): Promise<CommonFollowersBody> {
  const { rows, length, ranking } = await rankBook.with(reader, async () => {
    const found = await readAbout(reader, commonOf, ref, { leader, limit, offset });
    return { ...rankedRows<CardRow>(found.rows), length: found.rows[0]?.length ?? 0 };
  });
  return {
    results: rows.map((card) => ({ ...cardOf(card), mutuals_rank: ranking.rank('mutuals', card.mutuals) })),
    length,
  };
}
