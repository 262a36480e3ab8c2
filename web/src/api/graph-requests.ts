import { lookup, pagedLookup } from './request.ts';

interface Range {
  readonly limit: number;
  readonly offset?: number;
}

export interface RankedParameters extends Range {
  readonly sort: 'mutuals' | 'followers' | 'following' | 'blocks' | 'top8';
  readonly direction: 'desc' | 'asc';
}

/** The requests about the whole graph. */
export const graphStats = () => lookup('/stats', {});
export const discover = (range: Range) => lookup('/discover', range);
export const searchLeaderboard = (parameters: Range & { readonly term: string }) =>
  lookup('/leaderboard/search', parameters);
export const rankedLeaderboard = (parameters: RankedParameters) => pagedLookup('/leaderboard/ranked', parameters);
