import type { BadgeSource } from '../badges/badge-source.ts';
import type { NameSource } from '../names/name-source.ts';
import type { Store } from '../store/store.ts';
import { createBadgesLookup } from './badges.ts';
import { createCountersLookup } from './counters.ts';
import { createDetailsLookup } from './details.ts';
import { createFollowersLookup } from './followers.ts';
import { createLeaderboardLookup } from './leaderboard.ts';
import { createNotificationsLookup } from './notifications.ts';
import { createResolveAccount } from './resolve-account.ts';
import { createStatusLookup } from './status.ts';

export interface LookupSources {
  readonly names: NameSource;
  readonly badges: BadgeSource;
  /** Known badge events, in the order of answers. */
  readonly badgeEvents: readonly string[];
}

/** Every question that the service answers, each prepared once. */
export function createLookups(store: Store, { names, badges, badgeEvents }: LookupSources) {
  const { reader } = store;
  return {
    resolveAccount: createResolveAccount(names),
    details: createDetailsLookup(reader),
    badges: createBadgesLookup(reader, { source: badges, events: badgeEvents }),
    followers: createFollowersLookup(reader),
    notifications: createNotificationsLookup(reader),
    leaderboard: createLeaderboardLookup(reader),
    status: createStatusLookup(store),
    counters: createCountersLookup(reader),
  };
}

export type Lookups = ReturnType<typeof createLookups>;
