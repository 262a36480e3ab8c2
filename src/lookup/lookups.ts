import type { BadgeSource } from '../badges/badge-source.ts';
import type { CountName } from '../contract/leaderboard-schemas.ts';
import type { NameResolver } from '../names/on-demand/name-resolver.ts';
import type { ProfileRefresher } from '../names/on-demand/profile-refresher.ts';
import type { Address } from '../protocol/hex.ts';
import type { Reader, Store } from '../store/store.ts';
import { readListAccount } from './accounts/account.ts';
import { readBadges } from './accounts/badges.ts';
import { readDetails } from './accounts/details.ts';
import { readProfileUrl, readSimpleProfile } from './accounts/simple-profile.ts';
import { type CommonFollowersPage, readCommonFollowers } from './activity/common-followers.ts';
import { readRecommendedDetails } from './activity/suggestions.ts';
import { readCountRows } from './leaderboard/count-rows.ts';
import { type LeaderboardPage, readLeaderboard } from './leaderboard/leaderboard.ts';
import { RankBook } from './leaderboard/rank-book.ts';
import { type RankedPage, readRanked } from './leaderboard/ranked.ts';
import { readMeasurements } from './measurements.ts';
import type { Page } from './page.ts';
import { type AccountRef, type ListRef, resolveRef } from './refs/account-ref.ts';
import { createRenew } from './refs/renew.ts';
import { createResolveAccount } from './refs/resolve-account.ts';
import { createResolveMany } from './refs/resolve-many.ts';
import { createStatusLookup, readIsLoaded, type SourceKinds } from './status.ts';

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

export interface LookupOptions extends LookupSources {
  /** The profile page of an account is at this URL, a slash and the address. */
  readonly profileUrl: string;
}

/** What lookups need besides a reader: the sources, and the ranks. Lookups that need neither are plain functions. */
export function createLookups(store: Store, options: LookupOptions) {
  const { kinds, names, profiles, badges, badgeEvents, profileUrl } = options;
  const resolveAccount = createResolveAccount(names, { fresh: false });
  const rankBook = new RankBook();
  /** Queues the profile of an account that only the lookup knows, because the request names a list. */
  const queued = <V extends { readonly address: string }>({ kind }: AccountRef, value: V): V => {
    // Safe: the lookup has read it from the column of addresses.
    if (kind === 'list') profiles.queue(value.address as Address);
    return value;
  };
  return {
    sources: kinds,
    resolveAccount,
    resolveMany: createResolveMany(names),
    resolveAddress: async (reader: Reader, ref: AccountRef) => resolveRef(reader, await resolveAccount(ref)),
    renew: createRenew({ names, profiles, badges }),
    queueProfile: profiles.queue,
    details: async (reader: Reader, ref: AccountRef) => queued(ref, await readDetails(reader, rankBook, ref)),
    listAccount: async (reader: Reader, ref: ListRef) => queued(ref, await readListAccount(reader, ref)),
    badges: (reader: Reader, ref: AccountRef) => readBadges(reader, { source: badges, events: badgeEvents }, ref),
    commonFollowers: (reader: Reader, ref: AccountRef, page: CommonFollowersPage) =>
      readCommonFollowers(reader, rankBook, ref, page),
    recommendedDetails: (reader: Reader, ref: AccountRef, page: Page) =>
      readRecommendedDetails(reader, rankBook, ref, page),
    simpleProfile: (reader: Reader, ref: AccountRef) => readSimpleProfile(reader, profileUrl, ref),
    profileUrl: (reader: Reader, ref: AccountRef) => readProfileUrl(reader, profileUrl, ref),
    countRows: <N extends CountName>(reader: Reader, name: N, page: Page) =>
      readCountRows(reader, rankBook, name, page),
    ranked: (reader: Reader, page: RankedPage) => readRanked(reader, rankBook, page),
    leaderboard: (reader: Reader, page: LeaderboardPage) => readLeaderboard(reader, rankBook, page),
    isLoaded: () => readIsLoaded(store.reader),
    status: createStatusLookup(store, kinds),
    measurements: () => readMeasurements(store),
  };
}

export type Lookups = ReturnType<typeof createLookups>;
