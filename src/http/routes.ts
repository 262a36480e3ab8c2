import type { TSchema } from '@sinclair/typebox';
import type { BinaryString } from '../contract/binary-string.ts';
import { AccountDetails, BadgesBody, FollowersBody, LeaderboardBody, NotificationsBody } from '../contract/schemas.ts';
import type { AccountRef } from '../lookup/account-ref.ts';
import { SORTS } from '../lookup/followers.ts';
import type { Lookups } from '../lookup/lookups.ts';
import { INTERVALS } from '../lookup/notifications.ts';
import type { AccountParameter } from '../lookup/resolve-account.ts';
import * as parameter from './parameters.ts';

/** One lookup of the API. */
export interface Route<P extends parameter.Parameters = parameter.Parameters, Q extends parameter.Parameters = P> {
  readonly path: string;
  readonly summary: string;
  readonly params: P;
  readonly query: Q;
  readonly response: TSchema;
  /** Whether the response changes as time passes; takes the unparsed query, to see which parameters are given. */
  readonly dependsOnClock?: (query: Record<string, unknown>, params: parameter.Values<P>) => boolean;
  /** For `cache=fresh`: refreshes what the store holds from the name and badge sources. */
  renew?(params: parameter.Values<P>): Promise<void>;
  lookup(params: parameter.Values<P>, query: parameter.Values<Q>): Promise<BinaryString>;
}

/** Infers the types of a route from its parameters, and erases them so that all routes fit into one array. */
function route<P extends parameter.Parameters, Q extends parameter.Parameters>(route: Route<P, Q>): Route {
  // Safe: `lookup` is only called with values that were parsed by the route's own parameters.
  return route as unknown as Route;
}

const MAX_OFFSET = 2 ** 31 - 1;
const limit = (defaultValue: number) => parameter.integer('Number of records.', 1, 1000, defaultValue);
const offset = parameter.integer('Index of the first record.', 0, MAX_OFFSET, 0);

const followersQuery = {
  limit: limit(10),
  offset,
  tags: parameter.tags('Comma-separated tags: only followers with at least one of them on the account.'),
  sort: parameter.word('Sort order: newest, oldest, or most followers first.', SORTS, 'latest'),
};

/** The seven endpoints. `now` is in Unix milliseconds. */
export function createRoutes(lookups: Lookups, now: () => number): Route[] {
  const { renew, sources } = lookups;
  const byList = (list: string) => ({ kind: 'list', list }) as const;
  /** A name that a remote source resolves: the result is not in the database, and expires. */
  const isRemote = ({ kind }: AccountParameter) => kind === 'name' && sources.names !== 'none';
  /** Queues a profile refresh; only a resolved account can be queued. */
  const queueProfile = (account: AccountRef) => {
    if (account.kind === 'account') lookups.queueProfile(account.account);
    return account;
  };
  /** Calls `run` synchronously if no remote source is needed, so that its query joins the current batch. */
  const withAccount = (reference: AccountParameter, run: (account: AccountRef) => Promise<BinaryString>) =>
    isRemote(reference)
      ? lookups.resolveAccount(reference).then((subject) => run(queueProfile(subject)))
      : run(queueProfile(reference));

  return [
    route({
      path: '/lists/:token_id/details',
      summary: 'Profile and ranks of the account of a list',
      params: { token_id: parameter.list },
      query: {},
      response: AccountDetails,
      renew: ({ token_id }) => renew.profile(byList(token_id)),
      lookup: ({ token_id }) => lookups.details(token_id),
    }),
    route({
      path: '/users/:addressOrENS/badges',
      summary: 'Badges of an account',
      params: { addressOrENS: parameter.account },
      query: {},
      response: BadgesBody,
      dependsOnClock: (_, { addressOrENS }) => sources.badges !== 'none' || isRemote(addressOrENS),
      renew: ({ addressOrENS }) => renew.badges(addressOrENS),
      lookup: ({ addressOrENS }) => withAccount(addressOrENS, lookups.badges),
    }),
    route({
      path: '/lists/:token_id/badges',
      summary: 'Badges of the account of a list',
      params: { token_id: parameter.list },
      query: {},
      response: BadgesBody,
      dependsOnClock: () => sources.badges !== 'none',
      renew: ({ token_id }) => renew.badges(byList(token_id)),
      lookup: ({ token_id }) => lookups.badges(byList(token_id)),
    }),
    route({
      path: '/leaderboard/search',
      summary: 'The leaderboard, or the accounts on it that match a term',
      params: {},
      query: {
        term: parameter.text('Substring of a name or an address, case-insensitive.'),
        limit: limit(50),
        offset,
      },
      response: LeaderboardBody,
      lookup: (_, query) => lookups.leaderboard(query),
    }),
    route({
      path: '/users/:addressOrENS/notifications',
      summary: 'Follows, unfollows, tags and untags that an account received, newest first',
      params: { addressOrENS: parameter.account },
      query: {
        opcode: parameter.integer('1 follow, 2 unfollow, 3 tag, 4 untag, 0 any.', 0, 4, 0),
        interval: parameter.word('Length of the time window that ends at `start`.', INTERVALS, 'week'),
        start: parameter.time('Unix time in seconds at which the window ends; default: now.', () =>
          Math.floor(now() / 1000),
        ),
        tag: parameter.tag('Only tag and untag actions with this tag.'),
        limit: limit(10),
        offset,
      },
      response: NotificationsBody,
      dependsOnClock: ({ start }, { addressOrENS }) => start === undefined || isRemote(addressOrENS),
      renew: ({ addressOrENS }) => renew.profile(addressOrENS),
      lookup: ({ addressOrENS }, { opcode, interval, start, tag, limit, offset }) =>
        withAccount(addressOrENS, (subject) =>
          lookups.notifications(subject, { opcode, interval, end: start, tag, limit, offset }),
        ),
    }),
    route({
      path: '/users/:addressOrENS/followers',
      summary: 'Followers of an account',
      params: { addressOrENS: parameter.account },
      query: followersQuery,
      response: FollowersBody,
      dependsOnClock: (_, { addressOrENS }) => isRemote(addressOrENS),
      renew: ({ addressOrENS }) => renew.profile(addressOrENS),
      lookup: ({ addressOrENS }, query) => withAccount(addressOrENS, (subject) => lookups.followers(subject, query)),
    }),
    route({
      path: '/lists/:token_id/followers',
      summary: 'Followers of the account of a list, except those that it blocks or mutes',
      params: { token_id: parameter.list },
      query: followersQuery,
      response: FollowersBody,
      renew: ({ token_id }) => renew.profile(byList(token_id)),
      lookup: ({ token_id }, query) => lookups.followers(byList(token_id), query),
    }),
  ];
}
