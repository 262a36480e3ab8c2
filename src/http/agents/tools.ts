import type { Shape } from './pick.ts';

/** A tool for models: lookups of the API under a name of its own, and what it shows of their answers. */
export interface ToolSpec {
  readonly name: string;
  readonly title: string;
  /** For the model. */
  readonly description: string;
  /** The path of the lookup that answers. */
  readonly route: string;
  /** The lookup that answers instead if its argument `term` is given. */
  readonly searchRoute?: string;
  /** The parameter of the lookup by the argument of the tool. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Values of other parameters. */
  readonly fixed?: Readonly<Record<string, string>>;
  readonly shape: Shape;
}

const ACCOUNT = { account: 'addressOrENS' };
const PAGE = { limit: 'limit', cursor: 'cursor' };
const NAMED = ['address', 'ens/name'] as const;
const OPS = { opcode: 'opcode', tag: 'tag', interval: 'interval', start: 'start' };
const OP_SHAPE = ['address', 'name', 'action', 'tag', 'updated_at'];
const EDGE_FILTERS = { tags: 'tags', sort: 'sort', term: 'term' };
const FOLLOWER = [...NAMED, 'tags', 'more_tags', 'is_following', 'is_blocked', 'is_muted', 'updated_at'];

export const TOOLS: readonly ToolSpec[] = [
  {
    name: 'search',
    title: 'Search accounts',
    description:
      'Finds accounts by a part of a name or of an address. Use it first if you have no exact name or address. Entries with `guess` have a similar name only. Counts are as of the last ranking.',
    route: '/leaderboard/search',
    parameters: { term: 'term', ...PAGE },
    fixed: { guess: 'true' },
    shape: ['last_updated', { results: ['address', 'name', 'followers', 'following', 'followers_rank', 'guess'] }],
  },
  {
    name: 'who_is',
    title: 'Profile of an account',
    description:
      'Who an account is: address, name, what it says about itself, how many follow it and how many it follows, its ranks, and its primary list. Rank 0 means that it is not ranked.',
    route: '/users/:addressOrENS/details',
    parameters: ACCOUNT,
    shape: [
      ...NAMED,
      ...['description', 'url', 'location', 'com.twitter', 'com.github'].map((key) => `ens/records/${key}`),
      ...['ens/avatar', 'primary_list', 'followers_count', 'following_count', 'ranks'],
    ],
  },
  {
    name: 'followers',
    title: 'Followers of an account',
    description:
      'Who follows an account, newest first. `tags` keeps followers that put one of the tags on it, `term` those whose name or address contains a text. `is_following` says whether the account follows back. For a number alone, who_is is enough.',
    route: '/users/:addressOrENS/followers',
    searchRoute: '/users/:addressOrENS/searchFollowers',
    parameters: { ...ACCOUNT, ...EDGE_FILTERS, ...PAGE },
    fixed: { include: 'ens' },
    shape: [{ followers: FOLLOWER }],
  },
  {
    name: 'following',
    title: 'Accounts that an account follows',
    description:
      'Whom an account follows, newest first. `tags` keeps those on which it put one of the tags, such as `top8` for its closest, `term` those whose name or address contains a text.',
    route: '/users/:addressOrENS/following',
    searchRoute: '/users/:addressOrENS/searchFollowing',
    parameters: { ...ACCOUNT, ...EDGE_FILTERS, ...PAGE },
    fixed: { include: 'ens' },
    shape: [{ following: [...NAMED, 'tags', 'more_tags', 'updated_at'] }],
  },
  {
    name: 'mutuals',
    title: 'Accounts that follow each other',
    description: 'The followers of an account that it follows back.',
    route: '/users/:addressOrENS/mutuals',
    parameters: { ...ACCOUNT, tags: 'tags', sort: 'sort', ...PAGE },
    fixed: { include: 'ens' },
    shape: [{ mutuals: [...NAMED, 'tags', 'more_tags', 'updated_at'] }],
  },
  {
    name: 'relation',
    title: 'How two accounts relate',
    description:
      'Whether one account follows, blocks or mutes another, and the reverse. `source` is `account`, `target` is `other`. For accounts without a direct relation, see path.',
    route: '/users/:addressOrENS/:addressOrENS2/relationship',
    parameters: { ...ACCOUNT, other: 'addressOrENS2' },
    shape: ['source', 'target', 'state'],
  },
  {
    name: 'path',
    title: 'Shortest path between two accounts',
    description:
      'A shortest chain of follows that leads from one account to another, six at most. `length` is null if there is none; with `isComplete` false, one may exist that was not found.',
    route: '/users/:addressOrENS/path/:addressOrENS2',
    parameters: { from: 'addressOrENS', to: 'addressOrENS2' },
    shape: ['length', { accounts: ['address', 'name'] }, 'isComplete'],
  },
  {
    name: 'common_followers',
    title: 'Common followers',
    description:
      'Accounts that `account` follows and that follow `leader`: who of them knows both. `length` counts all.',
    route: '/users/:addressOrENS/commonFollowers',
    parameters: { ...ACCOUNT, leader: 'leader', ...PAGE },
    shape: ['length', { results: ['address', 'name', 'mutuals_rank'] }],
  },
  {
    name: 'notifications',
    title: 'What happened to an account',
    description:
      'Who followed, unfollowed, tagged or untagged an account lately, newest first: within a week by default, `interval` takes others. `address` and `name` are those of who did it.',
    route: '/users/:addressOrENS/notifications',
    parameters: { ...ACCOUNT, ...OPS, ...PAGE },
    shape: [{ notifications: OP_SHAPE }],
  },
  {
    name: 'activity',
    title: 'What an account did',
    description:
      'Whom an account followed, unfollowed, tagged or untagged lately, newest first: within a week by default, `interval` takes others. `address` and `name` are those of the other account.',
    route: '/users/:addressOrENS/activity',
    parameters: { ...ACCOUNT, ...OPS, ...PAGE },
    shape: [{ activity: OP_SHAPE }],
  },
  {
    name: 'recommended',
    title: 'Accounts to follow',
    description: 'Whom an account may want to follow: accounts followed by those that it follows.',
    route: '/users/:addressOrENS/recommended',
    parameters: { ...ACCOUNT, ...PAGE },
    shape: [{ recommended: ['address', 'name'] }],
  },
  {
    name: 'leaderboard',
    title: 'Leaderboard',
    description: 'The accounts with the most mutuals, followers, top8 tags and so on: `sort` says which.',
    route: '/leaderboard/ranked',
    parameters: { sort: 'sort', direction: 'direction', ...PAGE },
    shape: ['last_updated', { results: ['address', 'name', 'mutuals', 'followers', 'following', 'blocks', 'top8'] }],
  },
  {
    name: 'badges',
    title: 'Badges of an account',
    description: 'Which event badges (POAP) an account holds: those with `participated`.',
    route: '/users/:addressOrENS/badges',
    parameters: ACCOUNT,
    shape: [{ poaps: ['eventId', 'participated', 'collection/event/name', 'collection/event/year'] }],
  },
  {
    name: 'list',
    title: 'What a list is',
    description:
      'Whose a list is, by its number: owner, manager and user, when it was minted, where it is stored, and whether it is the primary list of its user, which alone counts as what the account follows.',
    route: '/lists/:token_id',
    parameters: { list: 'token_id' },
    shape: [
      ...['token_id', 'user', 'owner', 'manager', 'is_primary_list', 'primary_list_fault'],
      ...['minted_at', 'minted_to', 'storage_location'],
    ],
  },
  {
    name: 'graph_stats',
    title: 'Size of the graph',
    description: 'How many accounts, lists, users and list operations the graph has.',
    route: '/stats',
    parameters: {},
    shape: ['stats'],
  },
];
