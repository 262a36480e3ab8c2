import type { UnixMs } from '../../async/unix-time.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import { accountRoutes } from './accounts.ts';
import { activityRoutes } from './activity.ts';
import { edgeRoutes } from './edges.ts';
import { leaderboardRoutes } from './leaderboard.ts';
import { createRouteFactory, type Route } from './route.ts';
import { stateRoutes } from './states.ts';
import { tagRoutes } from './tags.ts';

/** All lookups by GET. */
export function createRoutes(lookups: Lookups, now: () => UnixMs): Route[] {
  const factory = createRouteFactory(lookups);
  return [
    ...accountRoutes(lookups, factory),
    ...edgeRoutes(factory),
    ...stateRoutes(factory),
    ...tagRoutes(factory),
    ...leaderboardRoutes(lookups),
    ...activityRoutes(lookups, factory, now),
  ];
}
