import {
  CommonFollowersBody,
  DiscoverBody,
  RecommendedBody,
  RecommendedDetailsBody,
} from '../../contract/lookup-schemas.ts';
import { NotificationsBody } from '../../contract/schemas.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import { INTERVALS } from '../../lookup/notifications.ts';
import * as parameter from '../parameters.ts';
import { limit, offset, type Route, type RouteFactory, route } from '../route.ts';

const page = { limit: limit(10), offset };

/** `now` is in Unix milliseconds. */
export function activityRoutes(lookups: Lookups, { about, withAddress }: RouteFactory, now: () => number): Route[] {
  const group = 'activity';
  const notifications = about({
    path: 'notifications',
    group,
    query: {
      opcode: parameter.integer('1 follow, 2 unfollow, 3 tag, 4 untag, 0 any.', 0, 4, 0),
      interval: parameter.word('Length of the time window that ends at `start`.', INTERVALS, 'week'),
      start: parameter.time('Unix time in seconds at which the window ends; default: now.', () =>
        Math.floor(now() / 1000),
      ),
      tag: parameter.tag('Only tag and untag actions with this tag.'),
      ...page,
    },
    response: NotificationsBody,
    dependsOnClock: ({ start }) => parameter.isAbsent(start),
    lookup: (ref, { start, ...query }) => lookups.notifications(ref, { ...query, end: start }),
  });
  const common = about({
    path: 'commonFollowers',
    group,
    query: { leader: parameter.account, ...page },
    response: CommonFollowersBody,
    isHeavy: () => true,
    other: 'leader',
    lookup: (ref, { leader, ...query }) =>
      withAddress(leader, (address) => lookups.commonFollowers(ref, { ...query, leader: address })),
  });
  const recommended = about({
    path: 'recommended',
    group,
    query: page,
    response: RecommendedBody,
    isHeavy: () => true,
    lookup: lookups.recommended,
  });
  const details = about({
    path: 'recommended/details',
    group,
    query: page,
    response: RecommendedDetailsBody,
    isHeavy: () => true,
    lookup: lookups.recommendedDetails,
  });
  return [
    notifications.ofUser('Follows, unfollows, tags and untags that an account received, newest first'),
    common.ofUser('Accounts that an account follows and that follow the leader'),
    recommended.ofUser('Accounts that are followed by those whom an account follows'),
    recommended.ofList('Accounts that are followed by those whom the account of a list follows'),
    details.ofUser('The same with profiles, counts and ranks'),
    details.ofList('The same with profiles, counts and ranks, for the account of a list'),
    route({
      path: '/discover',
      summary: 'Accounts that were followed most recently',
      group,
      params: {},
      query: page,
      response: DiscoverBody,
      lookup: (_, query) => lookups.discover(query),
    }),
  ];
}
