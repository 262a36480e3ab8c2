import { DIRECTIONS, RANKED_SORTS } from '../../src/lookup/leaderboard/members.ts';
import { SORTS } from '../../src/lookup/page.ts';

/** An account that can be requested by address, name and list. */
export interface Known {
  readonly address: string;
  readonly name: string;
  readonly list: string;
}

export interface LookupRequest {
  readonly title: string;
  readonly path: string;
  readonly status: number;
}

const UNKNOWN: Known = { address: `0x${'0'.repeat(39)}1`, name: 'nobody.nowhere.eth', list: '999999999' };
/** One tag, and several. */
const TAGS = ['top8', 'top8,gm'];
const TAGS_OR_NONE = ['', 'top8', 'top8,gm'];
/** Filters of list ops. */
const OPS = [{}, { opcode: '3' }, { tag: 'top8' }, { tag: 'top8', opcode: '3' }];
const COUNT_LISTS = ['followers', 'following', 'mutuals', 'blocked', 'blocks', 'muted', 'mutes'];
const BEYOND = '1000000';
const USERS = ['/users/ADDRESS', '/users/NAME'];
const SUBJECTS = [...USERS, '/lists/LIST'];

/** Makes the requests for a path about `known` and an unknown account, for the first page and a deep one. */
function createRequests(known: Known) {
  const about = (path: string, query: Record<string, string> = {}): LookupRequest[] => {
    const search = new URLSearchParams(query);
    const title = decodeURIComponent(`${path} ${search}`).trim();
    const fill = ({ address, name, list }: Known) =>
      `${path.replace('ADDRESS', address).replace('NAME', name).replace('LIST', list)}?${search}`;
    const request = { title, path: fill(known), status: 200 };
    if (fill(UNKNOWN) === request.path) return [request];
    // Every address is an account.
    const status = /NAME|LIST/.test(path) ? 404 : 200;
    return [request, { title: `${title}, unknown`, path: fill(UNKNOWN), status }];
  };
  const paged = (path: string, query: Record<string, string> = {}): LookupRequest[] => [
    ...about(path, query),
    ...about(path, { ...query, offset: BEYOND }),
  ];
  /** Only about `known`: for variants of a statement that another request runs for an unknown account. */
  const found = (path: string, query: Record<string, string>) => about(path, query).slice(0, 1);
  return { about, paged, found };
}

/** Every kind of request to the seven endpoints. */
export function requestsAbout(known: Known): LookupRequest[] {
  const { about, paged } = createRequests(known);
  const followers = (path: string) =>
    SORTS.flatMap((sort) => [...paged(path, { sort }), ...TAGS.flatMap((tags) => paged(path, { sort, tags }))]);
  const notifications = (path: string) => OPS.flatMap((filter) => paged(path, { interval: 'all', ...filter }));
  return [
    ...SUBJECTS.flatMap((path) => [...followers(`${path}/followers`), ...about(`${path}/badges`)]),
    ...USERS.flatMap((path) => notifications(`${path}/notifications`)),
    ...about('/lists/LIST/details'),
    ...paged('/leaderboard/search'),
    ...['eth', 'dolphin', 'dead', '0xab', 'ab'].flatMap((term) => paged('/leaderboard/search', { term })),
  ];
}

/** Every kind of request to the other lookups. */
export function clientRequestsAbout(known: Known): LookupRequest[] {
  const { about, paged, found } = createRequests(known);
  const edges = (path: string) => [
    ...paged(path),
    ...SORTS.flatMap((sort) => [
      ...TAGS_OR_NONE.flatMap((tags) => found(path, { sort, tags })),
      ...found(path, { sort, offset: BEYOND }),
    ]),
    ...withEns(path),
  ];
  const withEns = (path: string) =>
    SORTS.flatMap((sort) => TAGS_OR_NONE.flatMap((tags) => found(path, { sort, tags, include: 'ens' })));
  const ofAny = (path: string) => [
    ...withEns(`${path}/followers`),
    ...['following', 'allFollowing', 'allFollowers'].flatMap((what) => edges(`${path}/${what}`)),
    ...paged(`${path}/latestFollowers`),
    ...['searchFollowers', 'searchFollowing'].flatMap((what) => [
      ...paged(`${path}/${what}`, { term: 'eth' }),
      ...about(`${path}/${what}`),
    ]),
    ...['account', 'stats', 'tags', 'taggedAs'].flatMap((what) => about(`${path}/${what}`)),
    ...['recommended', 'recommended/details'].flatMap((what) => paged(`${path}/${what}`)),
    ...OPS.flatMap((filter) => paged(`${path}/activity`, { interval: 'all', ...filter })),
    ...['followerState', 'buttonState'].flatMap((what) => [
      ...about(`${path}/${known.address}/${what}`),
      ...about(`${path}/${known.name}/${what}`),
    ]),
  ];
  const ofUser = (path: string) => [
    ...['details', 'ens', 'primary-list', 'lists'].flatMap((what) => about(`${path}/${what}`)),
    ...[known.address, known.name].flatMap((leader) => paged(`${path}/commonFollowers`, { leader })),
    ...['simple-profile', 'allFollowingAddresses', 'list-records'].flatMap((what) => about(`${path}/${what}`)),
    ...[known.address, known.name].flatMap((other) => about(`${path}/${other}/relationship`)),
    ...edges(`${path}/mutuals`),
    ...about(`${path}/history`),
    ...['in', 'out'].flatMap((direction) => paged(`${path}/relationships`, { tag: 'top8', direction })),
  ];
  return [
    ...SUBJECTS.flatMap(ofAny),
    ...USERS.flatMap(ofUser),
    ...['/lists/LIST/allFollowingAddresses', '/exportState/LIST', '/lists/LIST', '/stats'].flatMap((path) =>
      about(path),
    ),
    ...about('/lists/LIST/records'),
    ...found('/lists/LIST/records', { includeTags: 'false' }),
    ...COUNT_LISTS.flatMap((name) => paged(`/leaderboard/${name}`)),
    ...paged('/leaderboard/all'),
    ...about('/leaderboard/count'),
    ...paged('/minters'),
    ...RANKED_SORTS.flatMap((sort) =>
      DIRECTIONS.flatMap((direction) =>
        ['0', BEYOND].flatMap((offset) => found('/leaderboard/ranked', { sort, direction, offset })),
      ),
    ),
    ...paged('/discover'),
  ];
}

/** First pages whose next one is found by the key of their last entry. */
export function cursorRequestsAbout(known: Known): LookupRequest[] {
  const { found } = createRequests(known);
  const limit = '1';
  const ofGraph = ['/discover', '/minters'].flatMap((path) => found(path, { limit }));
  const ofSubjects = SUBJECTS.flatMap((path) => [
    ...['followers', 'allFollowers', 'following', 'allFollowing'].flatMap((what) =>
      SORTS.flatMap((sort) => TAGS_OR_NONE.flatMap((tags) => found(`${path}/${what}`, { sort, tags, limit }))),
    ),
    ...[...(path.startsWith('/users/') ? ['notifications'] : []), 'activity'].flatMap((what) =>
      OPS.flatMap((filter) => found(`${path}/${what}`, { interval: 'all', limit, ...filter })),
    ),
  ]);
  return [...ofGraph, ...ofSubjects];
}
