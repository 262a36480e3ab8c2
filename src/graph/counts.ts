import type { Edge } from './fold-record.ts';
import type { Relation } from './relation.ts';

/** What the leaderboard counts of an account. */
export interface Counts {
  followers: number;
  following: number;
  mutuals: number;
  blocks: number;
  top8: number;
}

export const COUNTED = ['followers', 'following', 'mutuals', 'blocks', 'top8'] as const satisfies (keyof Counts)[];

type Delta = Partial<Counts>;

/** What one edge adds to the counts of the account it starts from and of the account it points to. */
export function countsOfEdge(edge: Edge | null): { source: Delta; target: Delta } {
  if (edge === null || edge.relation === 'mute') return { source: {}, target: {} };
  if (edge.relation === 'block') return { source: { blocks: 1 }, target: {} };
  return { source: { following: 1 }, target: { followers: 1, top8: edge.tags.includes('top8') ? 1 : 0 } };
}

/** 1 when two accounts follow each other, else 0. */
export function mutualsOfPair(relation: Relation | null, reverse: Relation | null): number {
  return relation === 'follow' && reverse === 'follow' ? 1 : 0;
}

export function addCounts(counts: Counts, delta: Delta, times: 1 | -1): void {
  for (const name of COUNTED) counts[name] += (delta[name] ?? 0) * times;
}

export function isOnLeaderboard(counts: Counts): boolean {
  return COUNTED.some((name) => counts[name] > 0);
}
