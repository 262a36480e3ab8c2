import type { Edge } from './fold-record.ts';
import type { Relation } from './relation.ts';

/** The counts of an account that the leaderboard ranks. `blocks` are blocks received. */
export interface Counts {
  followers: number;
  following: number;
  mutuals: number;
  blocks: number;
  top8: number;
}

export const COUNTED = ['followers', 'following', 'mutuals', 'blocks', 'top8'] as const satisfies (keyof Counts)[];

/** Counts that few accounts have, so they are kept apart from those of the leaderboard: blocks and mutes given, mutes received. */
export const RARELY_COUNTED = ['blocks_given', 'mutes_given', 'mutes'] as const;
export type RareCount = (typeof RARELY_COUNTED)[number];

/** What accounts are ranked by. */
export type Measure = keyof Counts | RareCount;

type Delta = readonly (keyof Counts)[];

interface EdgeCounts {
  readonly source: Delta;
  readonly target: Delta;
}

const NOTHING: EdgeCounts = { source: [], target: [] };
const BLOCK: EdgeCounts = { source: [], target: ['blocks'] };
const FOLLOW: EdgeCounts = { source: ['following'], target: ['followers'] };
const TOP8: EdgeCounts = { source: ['following'], target: ['followers', 'top8'] };

/** The counts of source and target that one edge adds one to. */
export function countsOfEdge(edge: Edge | null): EdgeCounts {
  if (edge === null || edge.relation === 'mute') return NOTHING;
  if (edge.relation === 'block') return BLOCK;
  return edge.tags.includes('top8') ? TOP8 : FOLLOW;
}

/** 1 when two accounts follow each other, else 0. */
export function mutualsOfPair(relation: Relation | null, reverse: Relation | null): number {
  return relation === 'follow' && reverse === 'follow' ? 1 : 0;
}

export function addCounts(counts: Counts, delta: Delta, times: 1 | -1): void {
  for (const name of delta) counts[name] += times;
}

export function isOnLeaderboard(counts: Counts): boolean {
  return COUNTED.some((name) => counts[name] > 0);
}
