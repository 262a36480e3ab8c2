import {
  AddressesBody,
  FollowersBody,
  FollowingBody,
  MutualsBody,
  RecordsBody,
  RelationshipsBody,
} from '../../contract/lookup-schemas.ts';
import type { EdgeSet } from '../../lookup/edges/edge-entries.ts';
import { readFollowers, taggingOf } from '../../lookup/edges/followers.ts';
import { readFollowing, streamAddresses, streamExportState, streamRecords } from '../../lookup/edges/following.ts';
import { readRelationships } from '../../lookup/edges/relationships.ts';
import { searchFollowers, searchFollowing } from '../../lookup/edges/search-edges.ts';
import { parseEdgeKey, SORTS } from '../../lookup/page.ts';
import { cursor } from '../cursor.ts';
import * as parameter from '../parameters.ts';
import { byOffset, offset, offsetPage } from './by-offset.ts';
import { type Route, type RouteFactory, route } from './route.ts';

const edgePage = { limit: parameter.limit(10), offset, cursor: cursor(parseEdgeKey) };
const pageQuery = (tags: string) => ({
  ...edgePage,
  tags: parameter.tags(tags),
  sort: parameter.word(
    'Newest change of the record first, oldest first, or most followers first. Follower counts are as of the last ranking.',
    SORTS,
    'latest',
  ),
  include: parameter.includeEns,
});
const searchQuery = {
  term: parameter.text('Substring of a name or an address, in any letter case. Empty: no results.', 'juni'),
  ...offsetPage(10),
};

const FOLLOWER_TAGS =
  'Comma-separated tags, like `top8,gm`: only followers that put at least one of them on the account.';
const EDGE_DIRECTIONS = { incoming: 'incoming', outgoing: 'outgoing', in: 'incoming', out: 'outgoing' } as const;

const SEARCH =
  'Exact matches come first, then prefix matches, then the rest, each by followers. Every entry has the profile of its account.';

export function edgeRoutes({ about }: RouteFactory): Route[] {
  const followers = (path: string, edges: EdgeSet) =>
    about({
      path,
      description:
        '`tags` of an entry are what the follower put on the account. The three flags are the relation of the account to the follower; at most one is true.',
      query: pageQuery(FOLLOWER_TAGS),
      response: FollowersBody,
      isHeavy: ({ tags }) => taggingOf(tags) === 'tags',
      page: (reader, ref, { include, ...page }) => readFollowers(reader, ref, { ...page, edges, withEns: include }),
    });
  const mutuals = about({
    path: 'mutuals',
    description: 'The followers whose `is_following` is true.',
    query: pageQuery(FOLLOWER_TAGS),
    response: MutualsBody,
    isHeavy: ({ tags }) => taggingOf(tags) === 'tags',
    async page(reader, ref, { include, ...page }) {
      const { body, next } = await readFollowers(reader, ref, { ...page, edges: 'mutuals', withEns: include });
      return { body: { mutuals: body.followers }, next };
    },
  });
  const relationships = about({
    path: 'relationships',
    description:
      'Follows, blocks and mutes. `incoming` are the accounts that put the tag on the account, `outgoing` those that it put the tag on; newest edge first.',
    query: {
      tag: parameter.requiredTag('The tag.', 'top8'),
      direction: parameter.choice('Edges to the account, or from it.', EDGE_DIRECTIONS, 'incoming'),
      ...edgePage,
      limit: parameter.limit(100),
    },
    response: RelationshipsBody,
    isHeavy: ({ direction }) => direction === 'outgoing',
    page: readRelationships,
  });
  const following = (path: string, edges: EdgeSet) =>
    about({
      path,
      description:
        'A record that is tagged `block` is a block, one that is tagged `mute` and not `block` a mute, and every other one a follow.',
      scope: 'slot',
      query: pageQuery('Comma-separated tags, like `top8,gm`: only records that have at least one of them.'),
      response: FollowingBody,
      isHeavy: ({ sort, tags }) => sort === 'followers' || tags.length > 0,
      page: (reader, ref, { include, ...page }) => readFollowing(reader, ref, { ...page, edges, withEns: include }),
    });
  const latest = about({
    path: 'latestFollowers',
    description: 'Accounts that the account blocks or mutes are included.',
    query: edgePage,
    response: FollowersBody,
    page: (reader, ref, page) =>
      readFollowers(reader, ref, { ...page, tags: [], sort: 'latest', edges: 'follows', withEns: false }),
  });
  const followersSearch = about({
    path: 'searchFollowers',
    description: SEARCH,
    query: searchQuery,
    response: FollowersBody,
    isHeavy: () => true,
    page: byOffset(searchFollowers, ({ followers }) => followers),
  });
  const followingSearch = about({
    path: 'searchFollowing',
    description: SEARCH,
    scope: 'slot',
    query: searchQuery,
    response: FollowingBody,
    isHeavy: () => true,
    page: byOffset(searchFollowing, ({ following }) => following),
  });
  const addresses = about({
    path: 'allFollowingAddresses',
    description: 'An array of all addresses, latest first. Not paged.',
    scope: 'slot',
    response: AddressesBody,
    stream: streamAddresses,
  });
  const records = {
    description:
      'The complete content of the slot by address, also blocks, mutes and a record of the own account. Not paged.',
    scope: 'slot',
    response: RecordsBody,
  } as const;
  const userRecords = about({
    ...records,
    path: 'list-records',
    stream: (reader, ref) => streamRecords(reader, ref, { withTags: true }),
  });
  const listRecords = about({
    ...records,
    path: 'records',
    query: { includeTags: parameter.word('Whether records have their tags.', ['true', 'false'], 'true') },
    stream: (reader, ref, { includeTags }) => streamRecords(reader, ref, { withTags: includeTags === 'true' }),
  });
  return [
    followers('followers', 'follows').ofUser('Followers of an account'),
    followers('followers', 'visible').ofList(
      'Followers of the account of a list, except those that it blocks or mutes',
    ),
    followers('allFollowers', 'all').ofUser('Accounts that follow, block or mute an account'),
    followers('allFollowers', 'all').ofList('Accounts that follow, block or mute the account of a list'),
    mutuals.ofUser('Followers of an account that it follows'),
    relationships.ofUser('Accounts with an edge to or from an account that has a tag'),
    latest.ofUser('Followers of an account, newest first'),
    latest.ofList('Followers of the account of a list, newest first'),
    followersSearch.ofUser('Followers of an account that match a term'),
    followersSearch.ofList(
      'Followers of the account of a list that match a term, except those that it blocks or mutes',
    ),
    following('following', 'follows').ofUser('Accounts that an account follows'),
    following('following', 'follows').ofList('Accounts that a list follows'),
    following('allFollowing', 'all').ofUser('Accounts that an account follows, blocks or mutes'),
    following('allFollowing', 'all').ofList('Accounts that a list follows, blocks or mutes'),
    followingSearch.ofUser('Accounts that an account follows and that match a term'),
    followingSearch.ofList('Accounts that a list follows and that match a term'),
    addresses.ofUser('Addresses that an account follows, blocks or mutes'),
    addresses.ofList('Addresses that a list follows, blocks or mutes'),
    userRecords.ofUser('All records of the primary list of an account'),
    listRecords.ofList('All records of a list'),
    route({
      path: '/exportState/:token_id',
      summary: 'All records of a list, oldest first',
      description: 'The complete content of the slot, also blocks, mutes and a record of the own account. Not paged.',
      params: { token_id: parameter.list },
      response: FollowingBody,
      stream: (reader, { token_id }) => streamExportState(reader, { kind: 'list', list: token_id }),
    }),
  ];
}
