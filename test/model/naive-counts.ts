import type { NaiveEdge } from './naive-graph.ts';

export interface NaiveCounts {
  readonly mutuals: number;
  readonly followers: number;
  readonly following: number;
  readonly top8: number;
  readonly blocks: number;
}

export function countsOf(account: string, edges: readonly NaiveEdge[]): NaiveCounts {
  const follows = edges.filter((edge) => edge.relation === 'follow');
  const incoming = follows.filter((edge) => edge.to === account);
  const outgoing = follows.filter((edge) => edge.from === account);
  return {
    mutuals: outgoing.filter((edge) => incoming.some((back) => back.from === edge.to)).length,
    followers: incoming.length,
    following: outgoing.length,
    top8: incoming.filter((edge) => edge.tags.includes('top8')).length,
    blocks: edges.filter((edge) => edge.to === account && edge.relation === 'block').length,
  };
}

/** Every account with a count above zero. */
export function membersOf(edges: readonly NaiveEdge[]): Map<string, NaiveCounts> {
  const accounts = new Set(edges.flatMap((edge) => [edge.from, edge.to]));
  const members = new Map<string, NaiveCounts>();
  for (const account of accounts) {
    const counts = countsOf(account, edges);
    if (Object.values(counts).some((count) => count > 0)) members.set(account, counts);
  }
  return members;
}

export function rankOf(account: string, count: keyof NaiveCounts, members: ReadonlyMap<string, NaiveCounts>): number {
  const own = members.get(account);
  if (!own) return 0;
  return 1 + [...members.values()].filter((other) => other[count] > own[count]).length;
}
