import { type Static, Type } from '@sinclair/typebox';
import {
  address,
  addressOrEmpty,
  avatar,
  count,
  digits,
  Ens,
  header,
  isoTime,
  name,
  object,
  oneOf,
  primaryList,
  Ranks,
  SplicedEns,
  Stats,
  shownTags,
  spliced,
  tagList,
  text,
  tokenId,
  total,
} from './schemas.ts';

/** Schemas of the responses of the client lookups. */
const withEns = Type.Optional(SplicedEns);
const other = address('The other account, lower case.');

export const AccountBody = object('Account', 'Address and profile of an account.', {
  address: address(),
  ens: SplicedEns,
});
export type AccountBody = Static<typeof AccountBody>;
export const ListAccountBody = object('ListAccount', 'Address and profile of the account of a list.', {
  address: address(),
  ens: SplicedEns,
  is_primary_list: Type.Boolean({ description: 'Whether the list is the primary list of its account.' }),
  primary_list: primaryList,
});
export type ListAccountBody = Static<typeof ListAccountBody>;
const EnsWithAddress = object('EnsWithAddress', 'The ENS profile of an account, with its address.', {
  address: address(),
  ...Ens.properties,
});
export const EnsBody = object('EnsProfile', 'The ENS profile of an account.', { ens: spliced(EnsWithAddress) });
export type EnsBody = Static<typeof EnsBody>;
export const PrimaryListBody = object('PrimaryList', 'The primary list of an account.', { primary_list: primaryList });
export type PrimaryListBody = Static<typeof PrimaryListBody>;
export const ListsBody = object('Lists', 'The lists of an account.', {
  primary_list: primaryList,
  lists: Type.Array(digits('Token id of a list.'), { description: 'All lists of the account, ascending.' }),
});
export type ListsBody = Static<typeof ListsBody>;
export const SimpleProfileBody = object('SimpleProfile', 'What fits on one line about an account.', {
  address: address(),
  display_name: text('ENS name, or else the address.'),
  avatar,
  ...Stats.properties,
  url: text('URL of the profile page of the account.'),
});
export type SimpleProfileBody = Static<typeof SimpleProfileBody>;
export const SvgBody = Type.String({ title: 'Svg', description: 'An SVG picture.' });
export const AvatarLocation = Type.String({ description: 'Redirects to the avatar.' });
const SlotDetails = object('SlotDetails', 'A storage slot and the list that points at it.', {
  chainId: total('Number of the chain.'),
  contractAddress: address('Address of the contract, lower case.'),
  tokenId: total('Token id of the list.'),
  owner: address('Owner of the list, lower case.'),
  manager: addressOrEmpty('Manager of the slot, or empty.'),
  user: addressOrEmpty('User of the slot, or empty.'),
  userName: name,
  userAvatar: avatar,
  userHeader: header,
  isPrimaryList: Type.Boolean({ description: 'Whether the list is the primary list of the user.' }),
});
export const SlotDetailsBody = object('SlotDetailsAnswer', 'A storage slot.', { slotDetails: SlotDetails });
export type SlotDetailsBody = Static<typeof SlotDetailsBody>;
const Minter = object('Minter', 'An account that has a list.', {
  address: address(),
  name,
  avatar,
  list: digits('The greatest token id of its lists.'),
});
export const MintersBody = object('Minters', 'A page of accounts that have a list.', {
  minters: Type.Array(Minter, { description: 'The accounts on this page, greatest token id first.' }),
});
export type MintersBody = Static<typeof MintersBody>;

const Following = object('FollowingEntry', 'A record of a list; with a profile for `include=ens` and in searches.', {
  version: total('Version of the record.'),
  record_type: oneOf('Type of the record.', ['address']),
  data: address('Same as `address`.'),
  address: address('The account of the record, lower case.'),
  ...shownTags('Tags of the record'),
  updated_at: isoTime('When the record or its tags last changed.'),
  ens: withEns,
});
export type Following = Static<typeof Following>;
export const FollowingBody = object('Following', 'Records of a list.', {
  following: Type.Array(Following, { description: 'The records.' }),
});
export type FollowingBody = Static<typeof FollowingBody>;
const Follower = object(
  'Follower',
  'An account with an edge to the account; with a profile for `include=ens` and in searches.',
  {
    svc_list_nft_token_id: digits('Token id of the list of the follower.'),
    efp_list_nft_token_id: digits('Same as `svc_list_nft_token_id`, under the name that the public API uses.'),
    address: address('The follower, lower case.'),
    ...shownTags('What the follower tagged the account with'),
    is_following: Type.Boolean({ description: 'Whether the account follows the follower.' }),
    is_blocked: Type.Boolean({ description: 'Whether the account blocks the follower.' }),
    is_muted: Type.Boolean({ description: 'Whether the account mutes the follower.' }),
    updated_at: isoTime('When the follower last changed its record of the account.'),
    ens: withEns,
  },
);
export type Follower = Static<typeof Follower>;
export const FollowersBody = object('Followers', 'A page of followers.', {
  followers: Type.Array(Follower, { description: 'The followers on this page.' }),
});
export type FollowersBody = Static<typeof FollowersBody>;
export const MutualsBody = object('Mutuals', 'A page of followers that the account follows.', {
  mutuals: Type.Array(Follower, { description: 'The followers on this page.' }),
});
export type MutualsBody = Static<typeof MutualsBody>;
const ListRecord = object('ListRecord', 'A record of a list, as it is stored on chain.', {
  version: Following.properties.version,
  record_type: Following.properties.record_type,
  data: address('The account of the record, lower case.'),
  tags: Type.Optional(Following.properties.tags),
  more_tags: Following.properties.more_tags,
});
export const RecordsBody = object('Records', 'All records of a list.', {
  records: Type.Array(ListRecord, { description: 'The records, by address.' }),
});
export type RecordsBody = Static<typeof RecordsBody>;
const Relationship = object('Relationship', 'The other account of an edge that has a tag.', {
  address: other,
  ...shownTags('Tags of the edge'),
});
export const RelationshipsBody = object('Relationships', 'A page of accounts with an edge that has a tag.', {
  direction: oneOf('Edges to the account, or from it.', ['incoming', 'outgoing']),
  tag: text('The tag.'),
  relationships: Type.Array(Relationship, { description: 'The accounts on this page, newest edge first.' }),
});
export type RelationshipsBody = Static<typeof RelationshipsBody>;
export const AddressesBody = Type.Array(address(), { title: 'Addresses', description: 'Addresses, latest first.' });
export type AddressesBody = Static<typeof AddressesBody>;

export const State = object('State', 'How one account relates to another; at most one field is true.', {
  follow: Type.Boolean({ description: 'Whether it follows the other.' }),
  block: Type.Boolean({ description: 'Whether it blocks the other.' }),
  mute: Type.Boolean({ description: 'Whether it mutes the other.' }),
});
export type State = Static<typeof State>;
export const FollowerStateBody = object('FollowerState', 'How the second account relates to the first.', {
  addressUser: address('The first account, lower case.'),
  addressFollower: address('The second account, lower case.'),
  state: State,
});
export type FollowerStateBody = Static<typeof FollowerStateBody>;
export const ListStateBody = object('ListState', 'How a list and another account relate.', {
  token_id: tokenId,
  address: other,
  state: State,
});
export type ListStateBody = Static<typeof ListStateBody>;
const PairState = object('PairState', 'How two accounts relate; at most one of each three fields is true.', {
  is_following: Type.Boolean({ description: 'Whether the source follows the target.' }),
  is_followed_by: Type.Boolean({ description: 'Whether the target follows the source.' }),
  is_blocked: Type.Boolean({ description: 'Whether the source blocks the target.' }),
  is_blocked_by: Type.Boolean({ description: 'Whether the target blocks the source.' }),
  is_muted: Type.Boolean({ description: 'Whether the source mutes the target.' }),
  is_muted_by: Type.Boolean({ description: 'Whether the target mutes the source.' }),
});
export const RelationshipBody = object('PairRelationship', 'How two accounts relate.', {
  source: address('The first account, lower case.'),
  target: address('The second account, lower case.'),
  state: PairState,
});
export type RelationshipBody = Static<typeof RelationshipBody>;
const BatchState = object('BatchState', 'What one of the given accounts is in the list.', {
  token_id: tokenId,
  address: Type.Union([Type.String(), Type.Null()], { description: 'The address; as given if it cannot be resolved.' }),
  state: Type.Union([State, Type.Null()], { description: 'Null if the address cannot be resolved.' }),
});
export const BatchStatesBody = Type.Array(BatchState, {
  title: 'BatchStates',
  description: 'An entry for each of the given accounts, in the same order.',
});
export type BatchStatesBody = Static<typeof BatchStatesBody>;

const TagCount = object('TagCount', 'How often a tag is used.', {
  tag: text('The tag.'),
  count: total('Number of uses.'),
});
const TaggedAddress = object('TaggedAddress', 'A tag and the account that it is on, or from.', {
  address: address(),
  tag: text('The tag.'),
});
const taggedProperties = {
  tags: tagList('The different tags, most used first.'),
  tagCounts: Type.Array(TagCount, { description: 'The same with counts.' }),
  taggedAddresses: Type.Array(TaggedAddress, { description: 'All tags, by address and tag.' }),
};
export const UserTagsBody = object('UserTags', 'Tags of an account.', { address: address(), ...taggedProperties });
export type UserTagsBody = Static<typeof UserTagsBody>;
export const ListTagsBody = object('ListTags', 'Tags of a list.', { token_id: tokenId, ...taggedProperties });
export type ListTagsBody = Static<typeof ListTagsBody>;

const Card = object('Card', 'An account with its name and pictures.', { address: address(), name, avatar, header });
export type Card = Static<typeof Card>;
const CommonFollower = object('CommonFollower', 'An account with its name, pictures and rank.', {
  ...Card.properties,
  mutuals_rank: Ranks.properties.mutuals_rank,
});
export const CommonFollowersBody = object('CommonFollowers', 'A page of common followers.', {
  results: Type.Array(CommonFollower, { description: 'The accounts on this page.' }),
  length: total('Number of common followers on all pages.'),
});
export type CommonFollowersBody = Static<typeof CommonFollowersBody>;
export const RecommendedBody = object('Recommended', 'A page of accounts to follow.', {
  recommended: Type.Array(Card, { description: 'The accounts on this page.' }),
});
export type RecommendedBody = Static<typeof RecommendedBody>;
const RecommendedAccount = object('RecommendedAccount', 'An account to follow, with its profile.', {
  address: address(),
  ens: SplicedEns,
  stats: Stats,
  ranks: Ranks,
});
export const RecommendedDetailsBody = object('RecommendedDetails', 'A page of accounts to follow, with profiles.', {
  recommended: Type.Array(RecommendedAccount, { description: 'The accounts on this page.' }),
});
export type RecommendedDetailsBody = Static<typeof RecommendedDetailsBody>;
const DiscoverEntry = object('DiscoverEntry', 'An account that was followed recently.', {
  ...Card.properties,
  followers: count('Followers'),
  following: count('Accounts followed'),
});
export const DiscoverBody = object('Discover', 'A page of accounts that were followed recently.', {
  latestFollows: Type.Array(DiscoverEntry, { description: 'The accounts on this page, newest follow first.' }),
});
export type DiscoverBody = Static<typeof DiscoverBody>;
