import type { UnixMs } from '../../async/unix-time.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import { accountRoutes } from './accounts.ts';
import { activityRoutes } from './activity.ts';
import { edgeRoutes } from './edges.ts';
import { leaderboardRoutes } from './leaderboard.ts';
import type { Group, Route } from './route.ts';
import { stateRoutes } from './states.ts';
import { tagRoutes } from './tags.ts';

export function createRoutes(lookups: Lookups, now: () => UnixMs): Readonly<Record<Group, readonly Route[]>> {
  return {
    accounts: accountRoutes(lookups),
    edges: edgeRoutes(lookups),
    states: stateRoutes(),
    tags: tagRoutes(),
    leaderboard: leaderboardRoutes(lookups),
    activity: activityRoutes(lookups, now),
  };
}
