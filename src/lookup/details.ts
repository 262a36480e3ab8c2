import { detailsBody } from '../contract/bodies.ts';
import type { Profiles } from '../names/live-profiles.ts';
import { emptyProfile } from '../names/profile.ts';
import type { Address } from '../protocol/hex.ts';
import type { Reader } from '../store/store.ts';
import { accountOfList, unknownList } from './account-of-list.ts';

const OUTSIDE = 0;

/** Who stands behind a list: profile, ranks and primary list. */
export function createDetailsLookup(reader: Reader, profiles: Profiles): (list: string) => Promise<string> {
  const details = reader.prepare<{ list: string }, Details>((db) =>
    db
      .selectFrom(accountOfList(db).as('subject'))
      .leftJoin('accounts', 'accounts.address', 'subject.account')
      .leftJoin('profiles', 'profiles.address', 'subject.account')
      .leftJoin('leaderboard', 'leaderboard.address', 'subject.account')
      .select((eb) => [
        eb.ref('subject.account').$castTo<Address>().as('account'),
        'active_list',
        'ens',
        'mutuals_rank',
        'followers_rank',
        'following_rank',
        'top8_rank',
        'blocks_rank',
      ]),
  );
  return async (list) => {
    const [row] = await details({ list });
    if (row === undefined) throw unknownList(list);
    profiles.want(row.account);
    return detailsBody({
      address: row.account,
      ens: row.ens ?? emptyProfile(row.account),
      ranks: {
        mutuals_rank: String(row.mutuals_rank ?? OUTSIDE),
        followers_rank: String(row.followers_rank ?? OUTSIDE),
        following_rank: String(row.following_rank ?? OUTSIDE),
        top8_rank: String(row.top8_rank ?? OUTSIDE),
        blocks_rank: String(row.blocks_rank ?? OUTSIDE),
      },
      primary_list: row.active_list ?? '',
    });
  };
}

interface Details {
  account: Address;
  active_list: string | null;
  ens: string | null;
  mutuals_rank: number | null;
  followers_rank: number | null;
  following_rank: number | null;
  top8_rank: number | null;
  blocks_rank: number | null;
}
