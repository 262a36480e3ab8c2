import type { UnixMs } from '../../async/unix-time.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import { createRouteFactory, type Route } from '../route.ts';
import { accountRoutes } from './accounts.ts';
import { activityRoutes } from './activity.ts';
import { edgeRoutes } from './edges.ts';
import { leaderboardRoutes } from './leaderboard.ts';
import { stateRoutes } from './states.ts';
import { tagRoutes } from './tags.ts';

/** All lookups by GET. */
export function createRoutes(lookups: Lookups, now: () => UnixMs): Route[] {
  const factory = createRouteFactory(lookups);
  return [
    ...accountRoutes(lookups, factory),
    ...edgeRoutes(lookups, factory),
    ...stateRoutes(lookups, factory),
    ...tagRoutes(lookups, factory),
    ...leaderboardRoutes(lookups),
    ...activityRoutes(lookups, factory, now),
  ];
}
