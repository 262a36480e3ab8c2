import { Type } from '@sinclair/typebox';
import { address, avatar, count, Ens, Follower, LeaderboardEntry, name, object, Ranks, text } from './schemas.ts';

/** Schemas of the responses of the client lookups. */
const header = text('URL, or empty.');
const tags = Type.Array(Type.String(), { description: 'Sorted.' });
const primaryList = text('Number of the primary list, or empty.');
const tokenId = text('Number of the list, or empty.');
const withEns = Type.Optional(Ens);

export const AccountBody = object({ address: address(), ens: Ens }, 'Account');
export const ListAccountBody = object(
  {
    address: address(),
    ens: Ens,
    is_primary_list: Type.Boolean({ description: 'Whether the list is the primary list of its account.' }),
    primary_list: primaryList,
  },
  'ListAccount',
);
export const EnsBody = object({ ens: object({ address: address(), ...Ens.properties }) }, 'EnsProfile');
export const PrimaryListBody = object({ primary_list: primaryList }, 'PrimaryList');
export const StatsBody = object(
  {
    followers_count: Type.Integer({ description: 'Followers.' }),
    following_count: Type.Integer({ description: 'Accounts followed.' }),
  },
  'Stats',
);
export const ListsBody = object(
  {
    primary_list: primaryList,
    lists: Type.Array(Type.String(), { description: 'Lists that the account owns, uses or manages, ascending.' }),
  },
  'Lists',
);

const Following = object(
  {
    version: Type.Integer({ description: 'Version of the record.' }),
    record_type: text('Always address.'),
    data: address('Same as address.'),
    address: address('The account of the record, lower-case.'),
    tags,
    ens: withEns,
  },
  'FollowingEntry',
);
export const FollowingBody = object({ following: Type.Array(Following) }, 'Following');
const FollowerWithEns = object({ ...Follower.properties, ens: withEns }, 'Follower');
export const FollowersWithEnsBody = object({ followers: Type.Array(FollowerWithEns) }, 'Followers');
export const AddressesBody = Type.Array(Type.String(), { description: 'Addresses, latest first.' });

const State = object({ follow: Type.Boolean(), block: Type.Boolean(), mute: Type.Boolean() }, 'State');
export const FollowerStateBody = object(
  {
    addressUser: address(),
    addressFollower: address('The other account, lower-case.'),
    state: State,
  },
  'FollowerState',
);
export const ListStateBody = object(
  {
    token_id: tokenId,
    address: address('The other account, lower-case.'),
    state: State,
  },
  'ListState',
);
export const StatesBody = Type.Array(
  object(
    {
      token_id: tokenId,
      address: Type.Union([Type.String(), Type.Null()], { description: 'As given if it cannot be resolved.' }),
      state: Type.Union([State, Type.Null()], { description: 'Null if the address cannot be resolved.' }),
    },
    'BatchState',
  ),
);

const taggedProperties = {
  tags: Type.Array(Type.String(), { description: 'Most used first.' }),
  tagCounts: Type.Array(object({ tag: Type.String(), count: Type.Integer() })),
  taggedAddresses: Type.Array(object({ address: address(), tag: Type.String() })),
};
export const UserTagsBody = object({ address: address(), ...taggedProperties }, 'UserTags');
export const ListTagsBody = object({ token_id: tokenId, ...taggedProperties }, 'ListTags');

const Card = object({ address: address(), name, avatar, header }, 'Card');
export const CommonFollowersBody = object(
  {
    results: Type.Array(object({ ...Card.properties, mutuals_rank: Ranks.properties.mutuals_rank }, 'CommonFollower')),
    length: Type.Integer({ description: 'Number of common followers on all pages.' }),
  },
  'CommonFollowers',
);
export const RecommendedBody = object({ recommended: Type.Array(Card) }, 'Recommended');
export const RecommendedDetailsBody = object(
  {
    recommended: Type.Array(
      object({ address: address(), ens: Ens, stats: StatsBody, ranks: Ranks }, 'RecommendedAccount'),
    ),
  },
  'RecommendedDetails',
);
export const DiscoverBody = object(
  {
    latestFollows: Type.Array(
      object(
        { ...Card.properties, followers: count('Followers'), following: count('Accounts followed') },
        'DiscoverEntry',
      ),
    ),
  },
  'Discover',
);

export const RankedBody = object(
  {
    last_updated: LeaderboardEntry.properties.updated_at,
    results: Type.Array(
      object(
        {
          ...LeaderboardEntry.properties,
          header,
          top8: count('Followers who tagged the account top8'),
          top8_rank: Ranks.properties.top8_rank,
        },
        'RankedEntry',
      ),
    ),
  },
  'RankedLeaderboard',
);
export const TotalsBody = object(
  {
    stats: object({
      address_count: count('Different addresses in all lists'),
      list_count: count('Lists'),
      list_op_count: count('List operations'),
      user_count: count('Accounts that a list was minted to'),
    }),
  },
  'Totals',
);
