import type { CountName } from '../contract/leaderboard-schemas.ts';
import type { Reader, Store, StreamReader } from '../store/store.ts';
import { readDetails, readProfileUrl, readSimpleProfile } from './accounts/account.ts';
import { readBadges } from './accounts/badges.ts';
import { type CommonFollowersPage, readCommonFollowers, readRecommendedDetails } from './activity/suggestions.ts';
import { searchFollowers, searchFollowing } from './edges/search-edges.ts';
import { type RankedPage, readCountRows, readRanked, streamRanked } from './leaderboard/members.ts';
import { RankBook } from './leaderboard/rank-book.ts';
import { type LeaderboardPage, readLeaderboard, type SearchPage } from './leaderboard/search.ts';
import type { Page } from './page.ts';
import type { AccountRef } from './refs/account-ref.ts';
import { createResolver, type ResolverOptions } from './refs/resolver.ts';
import { createMemberIndex } from './search/member-index.ts';
import { createStatusLookup, readIsLoaded, readMeasurements, type SourceKinds } from './status.ts';

interface LookupSources extends ResolverOptions {
  readonly kinds: SourceKinds;
  /** Known badge events, in the order of responses. */
  readonly badgeEvents: readonly string[];
}

export interface LookupOptions extends LookupSources {
  /** The profile page of an account is at this URL, a slash and the address. */
  readonly profileUrl: string;
}

/** What lookups need besides a reader: the sources, the ranks, and the members. Lookups that need none of these are plain functions. */
export function createLookups(store: Store, options: LookupOptions) {
  const { kinds, profiles, badges, badgeEvents, profileUrl } = options;
  const rankBook = new RankBook();
  const members = createMemberIndex(store);
  return {
    sources: kinds,
    ...createResolver(options),
    queueProfile: profiles.queue,
    details: (reader: Reader, ref: AccountRef) => readDetails(reader, rankBook, ref),
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
    streamRanked: (reader: Reader & StreamReader, order: Omit<RankedPage, keyof Page>) =>
      streamRanked(reader, rankBook, order),
    leaderboard: (reader: Reader, page: LeaderboardPage) => readLeaderboard(reader, rankBook, members, page),
    searchFollowers: (reader: Reader, ref: AccountRef, page: SearchPage) => searchFollowers(reader, members, ref, page),
    searchFollowing: (reader: Reader, ref: AccountRef, page: SearchPage) => searchFollowing(reader, members, ref, page),
    loadMembers: members.load,
    isLoaded: () => readIsLoaded(store.reader),
    status: createStatusLookup(store, kinds),
    databaseFault: store.readFault,
    measurements: () => readMeasurements(store),
  };
}

export type Lookups = ReturnType<typeof createLookups>;
