import type { UnixMs } from '../../async/unix-time.ts';
import { HistoryBody } from '../../contract/graph-schemas.ts';
import {
  CommonFollowersBody,
  DiscoverBody,
  RecommendedBody,
  RecommendedDetailsBody,
} from '../../contract/lookup-schemas.ts';
import { ActivityBody, NotificationsBody } from '../../contract/schemas.ts';
import { readActivity, streamActivity } from '../../lookup/activity/activity.ts';
import { countIntervals, HISTORY_INTERVALS, MAX_POINTS, readHistory } from '../../lookup/activity/history.ts';
import {
  INTERVALS,
  parseNotificationKey,
  readNotifications,
  streamNotifications,
} from '../../lookup/activity/notifications.ts';
import { readDiscover, readRecommended } from '../../lookup/activity/suggestions.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import { type Page, parseEdgeKey } from '../../lookup/page.ts';
import type { ByAddress } from '../../lookup/refs/account-ref.ts';
import { HttpProblem } from '../problems.ts';
import { byOffset, cursor, offsetPage } from '../request/cursor.ts';
import * as parameter from '../request/parameters.ts';
import { about, type Route, route } from './route.ts';

const page = offsetPage(10);

const RECOMMENDED =
  'Accounts followed by those that the account follows, by how many of those follow them. Accounts in its primary list are left out. Without a candidate, the leaderboard by followers.';

/** The parameters of pages of list ops. */
const OPS = {
  opcode: parameter.integer('1 follow, 2 unfollow, 3 tag, 4 untag, 0 any.', 0, 4, 0),
  interval: parameter.word('Length of the interval that ends at `start`; a month is 720 hours.', INTERVALS, 'week'),
  start: parameter.time('Unix time in seconds at which the interval ends, inclusive; now by default.'),
  tag: parameter.tag('Only tag and untag operations with this tag.'),
  ...page,
  cursor: cursor(parseNotificationKey),
};

export function activityRoutes(lookups: Lookups, now: () => UnixMs): Route[] {
  const nowSeconds = () => Math.floor(now() / 1000);
  const notifications = about({
    path: 'notifications',
    description:
      'The list operations that name the account and come from the valid primary list of another account. A `tag` with `opcode=2` matches nothing.',
    query: OPS,
    response: NotificationsBody,
    dependsOn: ['graph', 'names'],
    rows: { in: 'notifications' },
    lookup: (reader, ref, { start, ...query }) =>
      readNotifications(reader, ref, { ...query, end: start ?? nowSeconds() }),
    stream: (reader, ref, { start, ...query }) =>
      streamNotifications(reader, ref, { ...query, end: start ?? nowSeconds() }),
  });
  const activity = about({
    path: 'activity',
    description: 'The list operations, with the accounts that they name. A `tag` with `opcode=2` matches nothing.',
    scope: 'slot',
    query: OPS,
    response: ActivityBody,
    dependsOn: ['graph', 'names'],
    // No index has the tags or the opcodes of a slot.
    cost: ({ opcode, tag }) => (opcode === 0 && tag === '' ? 'light' : 'heavy'),
    rows: { in: 'activity' },
    lookup: (reader, ref, { start, ...query }) => readActivity(reader, ref, { ...query, end: start ?? nowSeconds() }),
    stream: (reader, ref, { start, ...query }) => streamActivity(reader, ref, { ...query, end: start ?? nowSeconds() }),
  });
  const history = about({
    path: 'history',
    description: `How many of the current followers had begun to follow by the end of each interval, and the follows and unfollows in it. An account began to follow with its first follow after its last unfollow. Intervals are those of UTC, weeks begin on Monday, and there are ${MAX_POINTS} at most.`,
    query: {
      interval: parameter.word('Length of the intervals.', HISTORY_INTERVALS, 'day'),
      from: parameter.date(
        `A time in the first interval; by default the first one with a follow or an unfollow, but at most ${MAX_POINTS} before \`to\`.`,
      ),
      to: parameter.date('A time in the last interval; now by default.', 'clock'),
    },
    response: HistoryBody,
    dependsOn: ['graph'],
    cost: 'heavy',
    async lookup(reader, ref: ByAddress, { interval, from, to: given }) {
      const to = given ?? nowSeconds();
      if (from !== null && from > to) throw new HttpProblem('invalid-parameter', 'from must not be after to');
      const points = from === null ? 1 : countIntervals(interval, from, to);
      if (points > MAX_POINTS)
        throw new HttpProblem(
          'invalid-parameter',
          `from and to must be at most ${MAX_POINTS} intervals apart, got ${points}; ask for part of them, or for longer intervals`,
        );
      return readHistory(reader, ref, { interval, from, to });
    },
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
    dependsOn: ['graph', 'names', 'ranks'],
    cost: 'heavy',
    lookup: byOffset((reader, ref: ByAddress, { leader, ...query }: Page & { readonly leader: ByAddress | null }) =>
      lookups.commonFollowers(reader, ref, { ...query, leader: (leader ?? ref).account }),
    ),
  });
  const recommended = about({
    path: 'recommended',
    description: RECOMMENDED,
    query: page,
    response: RecommendedBody,
    dependsOn: ['graph', 'names', 'ranks'],
    cost: 'heavy',
    lookup: byOffset(readRecommended),
  });
  const details = about({
    path: 'recommended/details',
    description: RECOMMENDED,
    query: page,
    response: RecommendedDetailsBody,
    dependsOn: ['graph', 'profiles', 'ranks'],
    cost: 'heavy',
    lookup: byOffset(lookups.recommendedDetails),
  });
  return [
    notifications.ofUser('Follows, unfollows, tags and untags that an account received, newest first'),
    activity.ofUser('Follows, unfollows, tags and untags that an account made, newest first'),
    activity.ofList('Follows, unfollows, tags and untags in a list, newest first'),
    history.ofUser('The followers of an account over time'),
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
      dependsOn: ['graph', 'names'],
      lookup: (reader, _, query) => readDiscover(reader, query),
    }),
  ];
}
