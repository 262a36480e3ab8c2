import type { Params } from '@kith-efp/client';
import { lookup, pagedLookup } from './request.ts';

interface Range {
  readonly limit: number;
  readonly offset?: number;
}

/** The requests about the whole graph. */
export const graphStats = () => lookup('/stats', {});
export const discover = (range: Range) => lookup('/discover', range);
export const searchLeaderboard = (parameters: Range & { readonly term: string; readonly guess?: 'true' }) =>
  pagedLookup('/leaderboard/search', parameters);
export const rankedLeaderboard = (parameters: Params<'/leaderboard/ranked'>) =>
  pagedLookup('/leaderboard/ranked', parameters);
