import type { BinaryString } from '../contract/binary-string.ts';
import { detailsBody } from '../contract/bodies.ts';
import { COUNTED, type Counts } from '../graph/counts.ts';
import type { ProfileRefresher } from '../names/on-demand/profile-refresher.ts';
import { emptyProfile } from '../names/profile.ts';
import type { Address } from '../protocol/hex.ts';
import type { Row } from '../store/schema.ts';
import type { Reader } from '../store/store.ts';
import { type AccountRef, firstOf, selectAccount } from './account-ref.ts';
import type { RankBook } from './rank-book.ts';

/** The rank of an account that is not on the leaderboard. */
const UNRANKED = '0';

/** The account of a list: profile, ranks and primary list. */
export function createDetailsLookup(
  reader: Reader,
  rankBook: RankBook,
  profiles: ProfileRefresher,
): (list: string) => Promise<BinaryString> {
  const details = reader.prepare<AccountRef, Details>((db) =>
    db
      .selectFrom(selectAccount(reader.dialect, db, 'list').as('ref'))
      .leftJoin('details', 'details.address', 'ref.account')
      .select((eb) => [
        eb.ref('ref.account').$castTo<Address>().as('account'),
        'active_list',
        'ens',
        ...COUNTED,
        eb.selectFrom('state').select('value').where('key', '=', 'ranks_made_at').$castTo<number>().as('made_at'),
      ]),
  );
  return async (list) => {
    const ref = { kind: 'list', list } as const;
    const { found: row, ranks } = await rankBook.with(async () => {
      const found = firstOf(await details(ref), ref);
      return { found, rankedAt: found.made_at };
    });
    const rank = (measure: keyof Counts) => ranks[measure].get(`${row[measure]}`) ?? UNRANKED;
    profiles.queue(row.account);
    return detailsBody({
      address: row.account,
      ens: row.ens ?? emptyProfile(row.account),
      ranks: {
        mutuals_rank: rank('mutuals'),
        followers_rank: rank('followers'),
        following_rank: rank('following'),
        top8_rank: rank('top8'),
        blocks_rank: rank('blocks'),
      },
      primary_list: row.active_list ?? '',
    });
  };
}

type Details = Omit<Row<'details'>, 'address'> & { readonly account: Address; readonly made_at: number };
