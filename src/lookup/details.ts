import type { BinaryString } from '../contract/binary-string.ts';
import { detailsBody } from '../contract/bodies.ts';
import type { AccountDetails } from '../contract/schemas.ts';
import { COUNTED, type Counts } from '../graph/counts.ts';
import type { ProfileRefresher } from '../names/on-demand/profile-refresher.ts';
import { emptyProfile } from '../names/profile.ts';
import type { Address } from '../protocol/hex.ts';
import type { Row } from '../store/schema.ts';
import type { Reader } from '../store/store.ts';
import { type AccountRef, firstOf, type RefKind, selectAccount } from './account-ref.ts';
import { RANKED_AT, type RankBook, type Ranks } from './rank-book.ts';

/** The rank of an account that is not on the leaderboard. */
const UNRANKED = '0';

/** Profile, ranks and primary list of an account. */
export function createDetailsLookup(
  reader: Reader,
  rankBook: RankBook,
  profiles: ProfileRefresher,
): (ref: AccountRef) => Promise<BinaryString> {
  const prepare = (kind: RefKind) =>
    reader.prepare<AccountRef, Details>((db) =>
      db
        .selectFrom(selectAccount(reader.dialect, db, kind).as('ref'))
        .leftJoin('details', 'details.address', 'ref.account')
        .select((eb) => [
          eb.ref('ref.account').$castTo<Address>().as('account'),
          'active_list',
          'ens',
          ...COUNTED,
          RANKED_AT.as('made_at'),
        ]),
    );
  const details = { account: prepare('account'), list: prepare('list'), name: prepare('name') };
  return async (ref) => {
    const { found: row, ranking } = await rankBook.with(async () => {
      const found = firstOf(await details[ref.kind](ref), ref);
      return { found, rankedAt: found.made_at };
    });
    profiles.queue(row.account);
    return detailsBody({
      address: row.account,
      ens: row.ens ?? emptyProfile(row.account),
      ranks: ranksOf(row, ranking.ranks),
      primary_list: row.active_list ?? '',
    });
  };
}

/** The ranks of counts as of the last ranking; null counts are of an account outside the leaderboard. */
export function ranksOf(counts: Readonly<Record<keyof Counts, number | null>>, ranks: Ranks): AccountDetails['ranks'] {
  const rank = (measure: keyof Counts) => ranks[measure].get(`${counts[measure]}`) ?? UNRANKED;
  return {
    mutuals_rank: rank('mutuals'),
    followers_rank: rank('followers'),
    following_rank: rank('following'),
    top8_rank: rank('top8'),
    blocks_rank: rank('blocks'),
  };
}

type Details = Omit<Row<'details'>, 'address'> & { readonly account: Address; readonly made_at: number };
