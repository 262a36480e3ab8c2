import type { TSchema } from '@sinclair/typebox';
import type { BinaryString } from '../contract/binary-string.ts';
import { AccountDetails, BadgesBody, FollowersBody, LeaderboardBody, NotificationsBody } from '../contract/schemas.ts';
import type { AccountRef } from '../lookup/account-ref.ts';
import { type FollowersPage, SORTS } from '../lookup/followers.ts';
import type { Lookups } from '../lookup/lookups.ts';
import { INTERVALS } from '../lookup/notifications.ts';
import type { AccountReference } from '../lookup/resolve-account.ts';
import * as parameter from './parameters.ts';

/** One question that can be asked over HTTP. */
export interface Route<P extends parameter.Parameters = parameter.Parameters, Q extends parameter.Parameters = P> {
  readonly path: string;
  readonly summary: string;
  readonly params: P;
  readonly query: Q;
  readonly response: TSchema;
  /** Whether an answer to this query changes as time passes. */
  readonly dependsOnClock?: (given: Record<string, unknown>, params: parameter.Values<P>) => boolean;
  /** Has the sources asked again about what the path names. */
  renew?(params: parameter.Values<P>): Promise<void>;
  answer(params: parameter.Values<P>, query: parameter.Values<Q>): Promise<BinaryString>;
}

/** Lets each route's parameters type its own answer, and forgets them in the list. */
function route<P extends parameter.Parameters, Q extends parameter.Parameters>(route: Route<P, Q>): Route {
  // Safe: `answer` is only ever called with what the route's own parameters were read to.
  return route as unknown as Route;
}

const MAX_OFFSET = 2 ** 31 - 1;
const limit = (absent: number) => parameter.integer('Number of records.', 1, 1000, absent);
const offset = parameter.integer('Index of the first record.', 0, MAX_OFFSET, 0);

const followersQuery = {
  limit: limit(10),
  offset,
  tags: parameter.tags('Tags separated by commas: followers who put at least one of them on the account.'),
  sort: parameter.word('Order: newest edge, oldest edge, or most followers first.', SORTS, 'latest'),
};

/** The seven endpoints. `now` is in Unix milliseconds. */
export function createRoutes(lookups: Lookups, now: () => number): Route[] {
  const { renew, sources } = lookups;
  const want = (subject: AccountRef) => {
    // A name that is still one has no source that could be asked for its profile.
    if (subject.kind === 'account') lookups.want(subject.account);
    return subject;
  };
  /** Without a wait where no source has to be asked: what is asked at once is answered together. */
  const about = (reference: AccountReference, ask: (subject: AccountRef) => Promise<BinaryString>) =>
    isRemote(reference)
      ? lookups.resolveAccount(reference).then((subject) => ask(want(subject)))
      : ask(want(reference));
  const byList = (list: string) => ({ kind: 'list', list }) as const;
  const page = (query: FollowersPage) => query;
  /** What a source has told of a name is not in the database, and stands for a time only. */
  const isRemote = ({ kind }: AccountReference) => kind === 'name' && sources.names !== 'none';

  return [
    route({
      path: '/lists/:token_id/details',
      summary: 'Profile and ranks of the account behind a list',
      params: { token_id: parameter.list },
      query: {},
      response: AccountDetails,
      renew: ({ token_id }) => renew.profile(byList(token_id)),
      answer: ({ token_id }) => lookups.details(token_id),
    }),
    route({
      path: '/users/:addressOrENS/badges',
      summary: 'Badges of an account',
      params: { addressOrENS: parameter.account },
      query: {},
      response: BadgesBody,
      dependsOnClock: (_, { addressOrENS }) => sources.badges !== 'none' || isRemote(addressOrENS),
      renew: ({ addressOrENS }) => renew.badges(addressOrENS),
      answer: ({ addressOrENS }) => about(addressOrENS, lookups.badges),
    }),
    route({
      path: '/lists/:token_id/badges',
      summary: 'Badges of the account behind a list',
      params: { token_id: parameter.list },
      query: {},
      response: BadgesBody,
      dependsOnClock: () => sources.badges !== 'none',
      renew: ({ token_id }) => renew.badges(byList(token_id)),
      answer: ({ token_id }) => lookups.badges(byList(token_id)),
    }),
    route({
      path: '/leaderboard/search',
      summary: 'The leaderboard, or its accounts that match a term',
      params: {},
      query: {
        term: parameter.text('Part of a name or an address, in any letter case.'),
        limit: limit(50),
        offset,
      },
      response: LeaderboardBody,
      answer: (_, query) => lookups.leaderboard(query),
    }),
    route({
      path: '/users/:addressOrENS/notifications',
      summary: 'What other accounts did to an account, newest first',
      params: { addressOrENS: parameter.account },
      query: {
        opcode: parameter.integer('1 follow, 2 unfollow, 3 tag, 4 untag, 0 any.', 0, 4, 0),
        interval: parameter.word('How far back from `start`.', INTERVALS, 'week'),
        start: parameter.time('Unix time in seconds that the interval ends at; now by default.', () =>
          Math.floor(now() / 1000),
        ),
        tag: parameter.tag('A tag: only its tag and untag actions.'),
        limit: limit(10),
        offset,
      },
      response: NotificationsBody,
      dependsOnClock: ({ start }, { addressOrENS }) => start === undefined || isRemote(addressOrENS),
      renew: ({ addressOrENS }) => renew.profile(addressOrENS),
      answer: ({ addressOrENS }, { opcode, interval, start, tag, limit, offset }) =>
        about(addressOrENS, (subject) =>
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
      answer: ({ addressOrENS }, query) => about(addressOrENS, (subject) => lookups.followers(subject, page(query))),
    }),
    route({
      path: '/lists/:token_id/followers',
      summary: 'Followers of the account behind a list, without those that it blocks or mutes',
      params: { token_id: parameter.list },
      query: followersQuery,
      response: FollowersBody,
      renew: ({ token_id }) => renew.profile(byList(token_id)),
      answer: ({ token_id }, query) => lookups.followers(byList(token_id), page(query)),
    }),
  ];
}
