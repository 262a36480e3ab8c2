import type { BadgeSource } from '../badges/badge-source.ts';
import type { NameResolver } from '../names/on-demand/name-resolver.ts';
import type { ProfileRefresher } from '../names/on-demand/profile-refresher.ts';
import type { Reader, Store } from '../store/store.ts';
import { createAccountLookups } from './account.ts';
import { type AccountRef, createResolveRef } from './account-ref.ts';
import { createBadgesLookup } from './badges.ts';
import { createReadCards } from './cards.ts';
import { createCommonFollowersLookup } from './common-followers.ts';
import { createConsistentRead } from './consistent-read.ts';
import { createDetailsLookup } from './details.ts';
import { createFollowersLookup } from './edges.ts';
import { createFollowingLookup, createWholeListLookups } from './following.ts';
import { createLeaderboardLookup } from './leaderboard.ts';
import { createMeasurementsLookup } from './measurements.ts';
import { createNotificationsLookup } from './notifications.ts';
import { createRankBook } from './rank-book.ts';
import { createRankedLookup } from './ranked.ts';
import { createRenew } from './renew.ts';
import { createResolveAccount } from './resolve-account.ts';
import { createResolveMany } from './resolve-many.ts';
import { createEdgeSearches } from './search-edges.ts';
import { createStateLookups } from './states.ts';
import { createStatusLookup, type SourceKinds } from './status.ts';
import { createSuggestionLookups } from './suggestions.ts';
import { createTagLookups } from './tags.ts';
import { createTotalsLookup } from './totals.ts';

export interface LookupSources {
  readonly kinds: SourceKinds;
  /** Null without a name source: names are looked up in stored profiles, however old. */
  readonly names: NameResolver | null;
  readonly profiles: ProfileRefresher;
  /** Null without a badge source: only stored badges are returned. */
  readonly badges: BadgeSource | null;
  /** Known badge events, in the order of responses. */
  readonly badgeEvents: readonly string[];
}

/** All queries of the service, prepared once for each of the store's readers. */
export function createLookups(store: Store, sources: LookupSources) {
  return {
    ...createLookupsOn(store, store.reader, sources, false),
    heavy: createLookupsOn(store, store.heavy.reader, sources, true),
  };
}

/** `mayScan`: whether a lookup may read much more than the rows it returns. */
function createLookupsOn(store: Store, reader: Reader, sources: LookupSources, mayScan: boolean) {
  const { kinds, names, profiles, badges, badgeEvents } = sources;
  const resolveRef = createResolveRef(reader);
  const resolveAccount = createResolveAccount(names, { fresh: false });
  const rankBook = createRankBook(reader);
  const several = {
    reader,
    rankBook,
    readCards: createReadCards(reader),
    consistently: createConsistentRead(reader),
  };
  return {
    sources: kinds,
    resolveAccount,
    resolveMany: createResolveMany(reader, names),
    resolveAddress: async (ref: AccountRef) => resolveRef(await resolveAccount(ref)),
    renew: createRenew({ resolveRef, names, profiles, badges }),
    queueProfile: profiles.queue,
    details: createDetailsLookup(reader, rankBook, profiles),
    badges: createBadgesLookup({ reader, source: badges, events: badgeEvents, resolveRef, profiles }),
    ...createAccountLookups(reader, profiles),
    followers: createFollowersLookup(reader),
    following: createFollowingLookup(reader),
    wholeList: createWholeListLookups(reader),
    search: createEdgeSearches(reader),
    states: createStateLookups(reader),
    ...createTagLookups(reader),
    commonFollowers: createCommonFollowersLookup(several),
    ...createSuggestionLookups(several),
    ranked: createRankedLookup(reader, rankBook),
    totals: createTotalsLookup(reader),
    notifications: createNotificationsLookup(reader),
    leaderboard: createLeaderboardLookup(reader, rankBook, { mayScan }),
    status: createStatusLookup(store, kinds),
    measurements: createMeasurementsLookup(store, reader),
  };
}

export type Lookups = ReturnType<typeof createLookupsOn>;
/** The lookups on the event loop's own connection, and the same for long queries. */
export type AllLookups = ReturnType<typeof createLookups>;
