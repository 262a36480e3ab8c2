import { sql } from 'kysely';
import type { CommonFollowersBody } from '../../contract/lookup-schemas.ts';
import { RELATION_CODES } from '../../graph/relation.ts';
import type { Address } from '../../protocol/hex.ts';
import { param } from '../../store/params.ts';
import type { Reader } from '../../store/store.ts';
import { OTHER_RECORDS } from '../edges/following.ts';
import { RANKED_AT, type RankBook } from '../leaderboard/rank-book.ts';
import { PAGE, type Page } from '../page.ts';
import { type AccountRef, aboutRef, readAbout } from '../refs/account-ref.ts';
import { type CardRow, cardOf, selectCards } from './cards.ts';

export interface CommonFollowersPage extends Page {
  readonly leader: Address;
}

const FOLLOW = sql.lit(RELATION_CODES.follow);

type Row = { readonly ranked_at: number; readonly length: number } & {
  readonly [C in keyof CardRow]: CardRow[C] | null;
};

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
  return sql`with common as (${common}) select totals.*, cards.*
      from (select ${RANKED_AT} as ranked_at, (select count(*) from common) as length) as totals
      left join (${selectCards(page, false)}) as cards on 1 = 1`;
});

/** The accounts that an account follows and that follow another one, the leader. */
export async function readCommonFollowers(
  reader: Reader,
  rankBook: RankBook,
  ref: AccountRef,
  { leader, limit, offset }: CommonFollowersPage,
): Promise<CommonFollowersBody> {
  const { rows, ranking } = await rankBook.with(reader, async () => {
    const { rows } = await readAbout(reader, commonOf, ref, { leader, limit, offset });
    return { rows, rankedAt: rows[0]?.ranked_at ?? 0 };
  });
  // Safe: only the row of an empty page has no address.
  const cards = rows.filter(({ address }) => address !== null) as readonly object[] as readonly CardRow[];
  return {
    results: cards.map((card) => ({ ...cardOf(card), mutuals_rank: ranking.rank('mutuals', card.mutuals) })),
    length: rows[0]?.length ?? 0,
  };
}
