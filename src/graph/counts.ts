import type { Edge } from './fold-record.ts';
import type { Relation } from './relation.ts';

/** What the leaderboard counts of an account. `blocks` are blocks received. */
export const COUNTED = ['followers', 'following', 'mutuals', 'blocks', 'top8'] as const;
export type Counts = { [C in (typeof COUNTED)[number]]: number };

/** Counts that few accounts have, so they are kept apart from those of the leaderboard: blocks and mutes given, mutes received. */
export const RARELY_COUNTED = ['blocks_given', 'mutes_given', 'mutes'] as const;
export type RareCount = (typeof RARELY_COUNTED)[number];

/** What accounts are ranked by. */
export const MEASURES = [...COUNTED, ...RARELY_COUNTED] as const;
export type Measure = (typeof MEASURES)[number];

/** All counts of an account. */
export type AccountCounts = Record<Measure, number>;

type Delta = readonly Measure[];

interface EdgeCounts {
  readonly source: Delta;
  readonly target: Delta;
}

const NOTHING: EdgeCounts = { source: [], target: [] };
const BLOCK: EdgeCounts = { source: ['blocks_given'], target: ['blocks'] };
const MUTE: EdgeCounts = { source: ['mutes_given'], target: ['mutes'] };
const FOLLOW: EdgeCounts = { source: ['following'], target: ['followers'] };
const TOP8: EdgeCounts = { source: ['following'], target: ['followers', 'top8'] };

/** The counts of source and target that one edge adds one to. */
export function countsOfEdge(edge: Edge | null): EdgeCounts {
  if (edge === null) return NOTHING;
  if (edge.relation === 'mute') return MUTE;
  if (edge.relation === 'block') return BLOCK;
  return edge.tags.includes('top8') ? TOP8 : FOLLOW;
}

/** 1 when two accounts follow each other, else 0. */
export function mutualsOfPair(relation: Relation | null, reverse: Relation | null): number {
  return relation === 'follow' && reverse === 'follow' ? 1 : 0;
}

export function addCounts(counts: AccountCounts, delta: Delta, times: 1 | -1): void {
  for (const name of delta) counts[name] += times;
}

/** The accounts that a list was minted to, given its owners in chain order; null where it was burned. */
export function mintsOf<A extends string | number>(owners: readonly (A | null)[]): A[] {
  return owners.filter((owner, i): owner is A => owner !== null && (owners[i - 1] ?? null) === null);
}
