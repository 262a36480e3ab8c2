import { EdgesAmongBody } from '../../contract/batch-schemas.ts';
import {
  AddressesBody,
  FollowersBody,
  FollowingBody,
  MutualsBody,
  RecordsBody,
  RelationshipsBody,
} from '../../contract/lookup-schemas.ts';
import {
  type EdgeSet,
  readFollowers,
  readFollowing,
  readRelationships,
  streamFollowers,
  streamFollowing,
  taggingOf,
} from '../../lookup/edges/edge-lists.ts';
import { streamAddresses, streamExportState, streamRecords } from '../../lookup/edges/records.ts';
import { MAX_AMONG, streamEdgesAmong } from '../../lookup/edges/states.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import { mapPage, parseEdgeKey, SORTS, type Sort } from '../../lookup/page.ts';
import { byOffset, cursor, offset, offsetPage } from '../request/cursor.ts';
import * as parameter from '../request/parameters.ts';
import { about, type Route, route } from './route.ts';

const edgePage = { limit: parameter.limit(10), offset, cursor: cursor(parseEdgeKey) };
const pageQuery = (tags: string) => ({
  ...edgePage,
  tags: parameter.tags(tags),
  sort: {
    ...parameter.word(
      'Newest change of the record first, oldest first, or most followers first. Follower counts are as of the last ranking.',
      SORTS,
      'latest',
    ),
    dependsOn: (sort: Sort) => (sort === 'followers' ? ('ranks' as const) : null),
  },
  include: parameter.includeEns,
});
const searchQuery = {
  term: parameter.text('Substring of a name or an address, in any letter case. Empty: no results.', 'juni'),
  ...offsetPage(10),
};

const withoutEns = ({ include }: { readonly include: boolean }) => (include ? [] : ['ens']);

const FOLLOWER_TAGS =
  'Comma-separated tags, like `top8,gm`: only followers that put at least one of them on the account.';
const EDGE_DIRECTIONS = { incoming: 'incoming', outgoing: 'outgoing', in: 'incoming', out: 'outgoing' } as const;

const SEARCH = 'In the order of `/leaderboard/search`. Every entry has the profile of its account.';

const costOfTags = ({ tags }: { readonly tags: readonly string[] }) => (taggingOf(tags) === 'tags' ? 'heavy' : 'light');

export function edgeRoutes(lookups: Lookups): Route[] {
  const followers = (path: string, edges: EdgeSet) =>
    about({
      path,
      description:
        '`tags` of an entry are what the follower put on the account. The three flags are the relation of the account to the follower; at most one is true.',
      query: pageQuery(FOLLOWER_TAGS),
      response: FollowersBody,
      dependsOn: ['graph'],
      cost: costOfTags,
      rows: { in: 'followers', omit: withoutEns },
      lookup: (reader, ref, { include, ...page }) => readFollowers(reader, ref, { ...page, edges, withEns: include }),
      stream: (reader, ref, { include, ...all }) => streamFollowers(reader, ref, { ...all, edges, withEns: include }),
    });
  const mutuals = about({
    path: 'mutuals',
    description: 'The followers whose `is_following` is true.',
    query: pageQuery(FOLLOWER_TAGS),
    response: MutualsBody,
    dependsOn: ['graph'],
    cost: costOfTags,
    async lookup(reader, ref, { include, ...page }) {
      const found = await readFollowers(reader, ref, { ...page, edges: 'mutuals', withEns: include });
      return mapPage(found, ({ followers }) => ({ mutuals: followers }));
    },
    rows: { in: 'mutuals', omit: withoutEns },
    async *stream(reader, ref, { include, ...all }) {
      const found = streamFollowers(reader, ref, { ...all, edges: 'mutuals', withEns: include });
      for await (const { followers } of found) yield { mutuals: followers };
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
    dependsOn: ['graph'],
    cost: ({ direction }) => (direction === 'outgoing' ? 'heavy' : 'light'),
    lookup: readRelationships,
  });
  const following = (path: string, edges: EdgeSet) =>
    about({
      path,
      description:
        'A record that is tagged `block` is a block, one that is tagged `mute` and not `block` a mute, and every other one a follow.',
      scope: 'slot',
      query: pageQuery('Comma-separated tags, like `top8,gm`: only records that have at least one of them.'),
      response: FollowingBody,
      dependsOn: ['graph'],
      cost: ({ sort, tags }) => (sort === 'followers' || tags.length > 0 ? 'heavy' : 'light'),
      rows: { in: 'following', omit: withoutEns },
      lookup: (reader, ref, { include, ...page }) => readFollowing(reader, ref, { ...page, edges, withEns: include }),
      stream: (reader, ref, { include, ...all }) => streamFollowing(reader, ref, { ...all, edges, withEns: include }),
    });
  const latest = about({
    path: 'latestFollowers',
    description: 'Accounts that the account blocks or mutes are included.',
    query: edgePage,
    response: FollowersBody,
    dependsOn: ['graph'],
    lookup: (reader, ref, page) =>
      readFollowers(reader, ref, { ...page, tags: [], sort: 'latest', edges: 'follows', withEns: false }),
  });
  const followersSearch = about({
    path: 'searchFollowers',
    description: SEARCH,
    query: searchQuery,
    response: FollowersBody,
    dependsOn: ['graph', 'profiles', 'ranks'],
    cost: 'heavy',
    lookup: byOffset(lookups.searchFollowers),
  });
  const followingSearch = about({
    path: 'searchFollowing',
    description: SEARCH,
    scope: 'slot',
    query: searchQuery,
    response: FollowingBody,
    dependsOn: ['graph', 'profiles', 'ranks'],
    cost: 'heavy',
    lookup: byOffset(lookups.searchFollowing),
  });
  const addresses = about({
    path: 'allFollowingAddresses',
    description: 'An array of all addresses, latest first. Not paged.',
    scope: 'slot',
    response: AddressesBody,
    dependsOn: ['graph'],
    cost: 'stream',
    lookup: streamAddresses,
  });
  const records = {
    description: 'All records of the slot by address, also blocks, mutes and a record of the own account. Not paged.',
    scope: 'slot',
    response: RecordsBody,
    dependsOn: ['graph'],
    cost: 'stream',
  } as const;
  const userRecords = about({
    ...records,
    path: 'list-records',
    lookup: (reader, ref) => streamRecords(reader, ref, { withTags: true }),
  });
  const listRecords = about({
    ...records,
    path: 'records',
    query: { includeTags: parameter.word('Whether records have their tags.', ['true', 'false'], 'true') },
    lookup: (reader, ref, { includeTags }) => streamRecords(reader, ref, { withTags: includeTags === 'true' }),
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
      description:
        'The complete content of the slot, also blocks, mutes and a record of the own account. Each record has all of its tags. Not paged.',
      params: { token_id: parameter.tokenId },
      response: FollowingBody,
      dependsOn: ['graph'],
      cost: 'stream',
      lookup: (reader, { token_id }) => streamExportState(reader, { kind: 'list', list: token_id }),
    }),
    route({
      path: '/edges/among',
      summary: 'All edges among some accounts',
      description: 'Follows, blocks and mutes whose source and target are both in the body, by source, then by target.',
      body: { title: 'AmongAccounts', maxEntries: MAX_AMONG, example: ['ada.eth', 'juniper.eth'] },
      response: EdgesAmongBody,
      dependsOn: ['graph'],
      cost: 'stream',
      lookup: (reader, _params, _query, others) => streamEdgesAmong(reader, others),
    }),
  ];
}
