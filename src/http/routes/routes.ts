import type { UnixMs } from '../../async/unix-time.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import { accountRoutes } from './accounts.ts';
import { activityRoutes } from './activity.ts';
import { edgeRoutes } from './edges.ts';
import { leaderboardRoutes } from './leaderboard.ts';
import { createRouteFactory, type Group, type Route } from './route.ts';
import { stateRoutes } from './states.ts';
import { tagRoutes } from './tags.ts';

/** All lookups by GET. */
export function createRoutes(lookups: Lookups, now: () => UnixMs): Readonly<Record<Group, readonly Route[]>> {
  const factory = createRouteFactory(lookups);
  return {
    accounts: accountRoutes(lookups, factory),
    edges: edgeRoutes(factory),
    states: stateRoutes(factory),
    tags: tagRoutes(factory),
    leaderboard: leaderboardRoutes(lookups),
    activity: activityRoutes(lookups, factory, now),
  };
}
