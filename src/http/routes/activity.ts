import type { UnixMs } from '../../async/unix-time.ts';
import {
  CommonFollowersBody,
  DiscoverBody,
  RecommendedBody,
  RecommendedDetailsBody,
} from '../../contract/lookup-schemas.ts';
import { NotificationsBody } from '../../contract/schemas.ts';
import { INTERVALS, parseNotificationKey, readNotifications } from '../../lookup/activity/notifications.ts';
import { readDiscover, readRecommended } from '../../lookup/activity/suggestions.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import { parseEdgeKey } from '../../lookup/page.ts';
import type { AccountParameter } from '../../lookup/refs/account-ref.ts';
import { cursor } from '../cursor.ts';
import * as parameter from '../parameters.ts';
import { byOffset, offsetPage } from './by-offset.ts';
import { type Route, type RouteFactory, route } from './route.ts';

const page = offsetPage(10);

const RECOMMENDED =
  'Accounts followed by those that the account follows, by how many of those follow them. Accounts in its primary list are left out. Without a candidate, the leaderboard by followers.';

export function activityRoutes(lookups: Lookups, { about, addressOf }: RouteFactory, now: () => UnixMs): Route[] {
  const notifications = about({
    path: 'notifications',
    description:
      'The list operations that name the account and come from the valid primary list of another account. A `tag` with `opcode=2` matches nothing.',
    query: {
      opcode: parameter.integer('1 follow, 2 unfollow, 3 tag, 4 untag, 0 any.', 0, 4, 0),
      interval: parameter.word('Length of the interval that ends at `start`; a month is 720 hours.', INTERVALS, 'week'),
      start: parameter.time('Unix time in seconds at which the interval ends, inclusive; now by default.', () =>
        Math.floor(now() / 1000),
      ),
      tag: parameter.tag('Only tag and untag operations with this tag.'),
      ...page,
      cursor: cursor(parseNotificationKey),
    },
    response: NotificationsBody,
    dependsOnClock: ({ start }) => parameter.isAbsent(start),
    page: (reader, ref, { start, ...query }) => readNotifications(reader, ref, { ...query, end: start }),
  });
  const common = about({
    path: 'commonFollowers',
    description:
      'Ordered by `mutuals_rank`, then by address; accounts that are not on the leaderboard come last. `length` counts all pages.',
    query: {
      leader: parameter.optional(
        parameter.account('The account that they follow, by default the account itself', 'juniper.eth'),
      ),
      ...page,
    },
    response: CommonFollowersBody,
    isHeavy: () => true,
    page: byOffset(
      async (reader, ref: AccountParameter, { leader, ...query }) =>
        lookups.commonFollowers(reader, ref, { ...query, leader: await addressOf(reader, leader ?? ref) }),
      ({ results }) => results,
    ),
  });
  const recommended = about({
    path: 'recommended',
    description: RECOMMENDED,
    query: page,
    response: RecommendedBody,
    isHeavy: () => true,
    page: byOffset(readRecommended, ({ recommended }) => recommended),
  });
  const details = about({
    path: 'recommended/details',
    description: RECOMMENDED,
    query: page,
    response: RecommendedDetailsBody,
    isHeavy: () => true,
    page: byOffset(lookups.recommendedDetails, ({ recommended }) => recommended),
  });
  return [
    notifications.ofUser('Follows, unfollows, tags and untags that an account received, newest first'),
    common.ofUser('Accounts that an account follows and that follow the leader'),
    recommended.ofUser('Accounts that are followed by those whom an account follows'),
    recommended.ofList('Accounts that are followed by those whom the account of a list follows'),
    details.ofUser('Recommended accounts with profiles, counts and ranks'),
    details.ofList('Recommended accounts with profiles, counts and ranks, for the account of a list'),
    route({
      path: '/discover',
      summary: 'Accounts that were followed most recently',
      description:
        'Each account of the last 1,000 follows in the graph, once, newest follow first. Counts are current.',
      query: { ...page, cursor: cursor(parseEdgeKey) },
      response: DiscoverBody,
      page: (reader, _, query) => readDiscover(reader, query),
    }),
  ];
}
