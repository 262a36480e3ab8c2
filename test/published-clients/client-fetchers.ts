import * as utils from 'ethereum-identity-kit/utils';
import { vi } from 'vitest';

/** The host in every URL that the package requests. */
export const API_HOST = 'data.ethfollow.xyz';

/** Functions of the package that call the Grails API instead, another service. */
const OF_ANOTHER_SERVICE = ['fetchNameMetadata', 'fetchNameRoles'];

/** The exported functions that call the API. */
export const FETCHER_NAMES = [
  'fetchAccount',
  'fetchAllFollowersYouKnow',
  'fetchBatchFollowState',
  'fetchFollowState',
  'fetchFollowerTags',
  'fetchFollowersYouKnow',
  'fetchFollowingTags',
  'fetchNotifications',
  'fetchProfileDetails',
  'fetchProfileEFPPoaps',
  'fetchProfileFollowers',
  'fetchProfileFollowing',
  'fetchProfileLists',
  'fetchProfileStats',
  'fetchRecommended',
] as const;

export const exportedFetcherNames = (): string[] =>
  Object.keys(utils).filter((name) => name.startsWith('fetch') && !OF_ANOTHER_SERVICE.includes(name));

// biome-ignore lint/suspicious/noExplicitAny: tests assert the values of what a fetcher returns.
type Fetcher = (...args: readonly any[]) => Promise<any>;

/** A safe cast: a test compares the names with the exports. The package declares types for only some of them. */
export const fetchers = utils as unknown as Readonly<Record<(typeof FETCHER_NAMES)[number], Fetcher>>;

export interface Exchange {
  /** Method and path below /api/v1, with the query. */
  readonly request: string;
  readonly status: number;
}

/** Sends requests to the API host to another origin, and refuses any other host. Returns the requests as they are made. */
export function redirectFetch(base: string): Exchange[] {
  const exchanges: Exchange[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    const url = new URL(input);
    if (url.host !== API_HOST) throw new Error(`unexpected request to ${url.host}`);
    const path = `${url.pathname}${url.search}`;
    const response = await fetch(`${base}${path}`, init);
    const request = `${init?.method ?? 'GET'} ${path.replace('/api/v1', '')}`;
    exchanges.push({ request, status: response.status });
    return response;
  });
  return exchanges;
}
