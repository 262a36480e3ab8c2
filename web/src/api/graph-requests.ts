import { lookup } from './request.ts';

// `lookup` has no type yet for the parameters of paths without placeholders, hence `as never`.

interface Range {
  readonly limit: number;
  readonly offset?: number;
}

export interface RankedParameters extends Range {
  readonly sort: 'mutuals' | 'followers' | 'following' | 'blocks' | 'top8';
  readonly direction: 'desc' | 'asc';
}

/** The requests about the whole graph. */
export const graphStats = () => lookup('/stats', {} as never);
export const discover = (range: Range) => lookup('/discover', range as never);
export const searchLeaderboard = (parameters: Range & { readonly term: string }) =>
  lookup('/leaderboard/search', parameters as never);
export const rankedLeaderboard = (parameters: RankedParameters) => lookup('/leaderboard/ranked', parameters as never);
