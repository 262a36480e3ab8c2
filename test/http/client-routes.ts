import {
  BODIES,
  ENS,
  type Fields,
  FOLLOWER,
  LEADERBOARD_ENTRY,
  NOTIFICATION,
  NullOr,
  RANKS,
  type Shape,
  STATS,
  SUMMARY,
} from './fields.ts';

/** A lookup beyond the seven of the API contract, written independently of src. */
export interface ClientRoute {
  /** Below /api/v1. */
  readonly path: string;
  readonly body: Shape;
  /** Query parameters besides `cache`, by name. */
  readonly query: readonly string[];
  /** The body if each entry has a profile: with `include=ens`, or always. */
  readonly bodyWithEns?: Shape;
  /** The required parameters, as they stand in a URL. */
  readonly required?: string;
}

const FOLLOWING: Fields = {
  version: 'whole',
  record_type: 'string',
  data: 'address',
  address: 'address',
  tags: ['string'],
  updated_at: 'time',
};
const RECORD: Fields = { version: 'whole', record_type: 'string', data: 'address', tags: ['string'] };
/** By list, tags may be absent. */
const RECORDS: Pick<ClientRoute, 'body' | 'bodyWithEns'> = {
  body: { records: [RECORD] },
  bodyWithEns: { records: [RECORD] },
};
const CARD: Fields = { address: 'address', name: 'string', avatar: 'string', header: 'string' };
const STATE: Fields = { follow: 'boolean', block: 'boolean', mute: 'boolean' };
const LIST_STATE: Fields = { token_id: 'integer or empty', address: 'address', state: STATE };
const TAGS: Fields = {
  tags: ['string'],
  tagCounts: [{ tag: 'string', count: 'whole' }],
  taggedAddresses: [{ address: 'address', tag: 'string' }],
};
const PRIMARY_LIST: Fields = { primary_list: 'integer or empty' };
const ACCOUNT: Fields = { address: 'address', ens: ENS };

/** The element of the array that the batch of states returns. */
export const BATCH_STATE: Fields = {
  token_id: 'integer or empty',
  address: new NullOr('string'),
  state: new NullOr(STATE),
};

/** Of the array that `POST /accounts` returns; with a viewer. */
export const BATCH_ACCOUNT: Fields = {
  ...{ address: 'address', name: 'string', avatar: 'string' },
  ...STATS,
  ...PRIMARY_LIST,
  ...{ state: STATE, follower_state: STATE },
};

/** The body of `POST /edges/among`. */
export const EDGES_AMONG: Fields = {
  accounts: [new NullOr('address')],
  edges: [{ source: 'address', target: 'address', relation: 'string', tags: ['string'] }],
};

const user = '/users/:addressOrENS';
const list = '/lists/:token_id';
const PAGE = ['limit', 'offset', 'cursor'];
const EDGES = [...PAGE, 'tags', 'sort', 'include', 'format'];
const SEARCH = ['term', ...PAGE];

/** The same lookup by account and by list. */
const both = (path: string, body: Shape, query: readonly string[] = []): ClientRoute[] =>
  [user, list].map((subject) => ({ path: `${subject}/${path}`, body, query }));

/** Pages of edges, whose entries may have a profile. */
const edges = (path: string, key: string, entry: Fields, query: readonly string[]): ClientRoute[] =>
  both(path, { [key]: [entry] }, query).map((route) => ({
    ...route,
    bodyWithEns: { [key]: [{ ...entry, ens: ENS }] },
  }));

const tagged = (path: string): ClientRoute[] => [
  { path: `${user}/${path}`, body: { address: 'address', ...TAGS }, query: [] },
  { path: `${list}/${path}`, body: { token_id: 'integer', ...TAGS }, query: [] },
];

const counts = (name: string, key: string): ClientRoute => ({
  path: `/leaderboard/${name}`,
  body: [{ rank: 'whole', address: 'address', [key]: 'integer' }],
  query: PAGE,
});

export const HOPS: Fields = {
  source: 'address',
  hops: [new NullOr({ address: 'address', steps: new NullOr('whole') })],
  isComplete: 'boolean',
};

/** Lookups whose answer is not JSON, or which are about no account or list. */
export const OTHER_PATHS = [`${user}/qr`, `${user}/ens/avatar`, '/slots/:chain_id/:contract/:slot/details'] as const;

export const CLIENT_ROUTES: readonly ClientRoute[] = [
  {
    path: `${user}/simple-profile`,
    body: { address: 'address', display_name: 'string', avatar: 'string', ...STATS, url: 'string' },
    query: [],
  },
  {
    path: `${user}/:addressOrENS2/relationship`,
    body: {
      source: 'address',
      target: 'address',
      state: {
        is_following: 'boolean',
        is_followed_by: 'boolean',
        is_blocked: 'boolean',
        is_blocked_by: 'boolean',
        is_muted: 'boolean',
        is_muted_by: 'boolean',
      },
    },
    query: [],
  },
  {
    path: `${user}/mutuals`,
    body: { mutuals: [FOLLOWER] },
    query: EDGES,
    bodyWithEns: { mutuals: [{ ...FOLLOWER, ens: ENS }] },
  },
  {
    path: `${user}/relationships`,
    body: { direction: 'string', tag: 'string', relationships: [{ address: 'address', tags: ['string'] }] },
    query: ['tag', 'direction', ...PAGE],
    required: 'tag=top8&direction=in',
  },
  { path: `${user}/list-records`, ...RECORDS, query: [] },
  { path: `${list}/records`, ...RECORDS, query: ['includeTags'] },
  { path: `${user}/allFollowingAddresses`, body: ['address'], query: [] },
  {
    path: '/minters',
    body: { minters: [{ address: 'address', name: 'string', avatar: 'string', list: 'integer' }] },
    query: PAGE,
  },
  { path: '/leaderboard/count', body: { leaderboardCount: 'integer' }, query: [] },
  {
    path: '/leaderboard/all',
    body: { results: [{ address: 'address', name: 'string' }] },
    query: [...PAGE, 'format'],
  },
  counts('followers', 'followers_count'),
  counts('following', 'following_count'),
  counts('mutuals', 'mutuals_count'),
  counts('blocked', 'blocked_by_count'),
  counts('blocks', 'blocks_count'),
  counts('muted', 'muted_by_count'),
  counts('mutes', 'mutes_count'),
  { path: `${user}/account`, body: ACCOUNT, query: [] },
  { path: `${list}/account`, body: { ...ACCOUNT, is_primary_list: 'boolean', ...PRIMARY_LIST }, query: [] },
  { path: `${user}/details`, body: BODIES.details, query: [] },
  { path: `${user}/ens`, body: { ens: { address: 'address', ...ENS } }, query: [] },
  { path: `${user}/primary-list`, body: PRIMARY_LIST, query: [] },
  { path: `${user}/lists`, body: { ...PRIMARY_LIST, lists: ['integer'] }, query: [] },
  {
    path: list,
    body: {
      token_id: 'integer',
      storage_location: new NullOr({ chain_id: 'integer', contract: 'address', slot: 'integer' }),
      owner: 'address',
      manager: 'address or empty',
      user: 'address or empty',
      minted_at: 'time',
      minted_to: 'address',
      is_primary_list: 'boolean',
      primary_list_fault: 'string',
    },
    query: [],
  },
  ...both('stats', STATS),
  {
    path: `${user}/:addressOrENS2/followerState`,
    body: { addressUser: 'address', addressFollower: 'address', state: STATE },
    query: [],
  },
  { path: `${list}/:addressOrENS/followerState`, body: LIST_STATE, query: [] },
  { path: `${user}/:addressOrENS2/buttonState`, body: LIST_STATE, query: [] },
  { path: `${list}/:addressOrENS/buttonState`, body: LIST_STATE, query: [] },
  ...edges('following', 'following', FOLLOWING, EDGES),
  ...edges('allFollowing', 'following', FOLLOWING, EDGES),
  ...edges('allFollowers', 'followers', FOLLOWER, EDGES),
  ...edges('latestFollowers', 'followers', FOLLOWER, PAGE),
  ...edges('searchFollowers', 'followers', FOLLOWER, SEARCH),
  ...edges('searchFollowing', 'following', FOLLOWING, SEARCH),
  { path: `${list}/allFollowingAddresses`, body: ['address'], query: [] },
  {
    path: '/exportState/:token_id',
    body: { following: [FOLLOWING] },
    query: [],
    bodyWithEns: { following: [{ ...FOLLOWING, ens: ENS }] },
  },
  ...tagged('tags'),
  ...tagged('taggedAs'),
  {
    path: `${user}/commonFollowers`,
    body: { results: [{ ...CARD, mutuals_rank: 'integer' }], length: 'whole' },
    query: ['leader', ...PAGE],
  },
  ...both('activity', { summary: SUMMARY, activity: [NOTIFICATION] }, [
    ...['opcode', 'interval', 'start', 'tag', 'format'],
    ...PAGE,
  ]),
  {
    path: `${user}/history`,
    body: { interval: 'string', points: [{ time: 'time', followers: 'whole', gained: 'whole', lost: 'whole' }] },
    query: ['interval', 'from', 'to'],
  },
  {
    path: `${user}/path/:addressOrENS2`,
    body: {
      source: 'address',
      target: 'address',
      length: new NullOr('whole'),
      path: ['address'],
      accounts: [{ address: 'address', name: 'string', avatar: 'string' }],
      isComplete: 'boolean',
    },
    query: [],
  },
  { path: `${user}/hops`, body: HOPS, query: ['accounts'], required: 'accounts=juniper.eth' },
  ...both('recommended', { recommended: [CARD] }, PAGE),
  ...both('recommended/details', { recommended: [{ address: 'address', ens: ENS, stats: STATS, ranks: RANKS }] }, PAGE),
  {
    path: '/discover',
    body: { latestFollows: [{ ...CARD, followers: 'integer', following: 'integer' }] },
    query: PAGE,
  },
  {
    path: '/leaderboard/ranked',
    body: { last_updated: 'time', results: [LEADERBOARD_ENTRY] },
    query: ['sort', 'direction', 'format', ...PAGE],
  },
  {
    path: '/stats',
    body: {
      stats: { address_count: 'integer', list_count: 'integer', list_op_count: 'integer', user_count: 'integer' },
    },
    query: [],
  },
];

/** Fills in the parameters of a path: by list, the account is the other one of a pair. */
export function fillPath(path: string, values: { account: string; other: string; list: string }): string {
  return path
    .replace(':token_id', values.list)
    .replace(':addressOrENS2', values.other)
    .replace(':addressOrENS', path.startsWith('/users/') ? values.account : values.other);
}
