import { countsOf, type NaiveCounts, rankOf } from './naive-counts.ts';
import type { NaiveEdge } from './naive-graph.ts';
import { byPopularity, matchClass } from './naive-page.ts';
import { isSimilar } from './naive-similar.ts';
import { compareText, type NaiveView, profileOf } from './naive-view.ts';

export interface LeaderboardQuery {
  readonly term?: string | undefined;
  readonly guess?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

const COUNTS = {
  mutuals: 'mutuals',
  followers: 'followers',
  following: 'following',
  blocked: 'blocks',
  blocks: 'blocks',
  top8: 'top8',
} as const;

export interface RankedQuery {
  readonly sort?: keyof typeof COUNTS | undefined;
  readonly direction?: 'asc' | 'desc' | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** Entries without `updated_at`: the model has no clock. */
export function leaderboard(view: NaiveView, query: LeaderboardQuery = {}) {
  const { limit = 50, offset = 0 } = query;
  const term = (query.term ?? '').trim().toLowerCase();
  const members = [...view.members].map(([address, counts]) => {
    const name = profileOf(view, address).name.toLowerCase();
    return { address, counts, name, group: matchClass(term, address, name) };
  });
  const guesses = query.guess === true && [...term].length >= 4 && members.every(({ group }) => group < 0 || group > 1);
  return members
    .map((member) => ({ ...member, isGuess: guesses && member.group === -1 && isSimilar(term, member.name) }))
    .filter(({ group, isGuess }) => group !== -1 || isGuess)
    .map((member) => ({ ...member, group: member.isGuess ? 2.5 : member.group }))
    .sort((a, b) => a.group - b.group || byPopularity(view)(a, b))
    .slice(offset, offset + limit)
    .map(({ address, counts, isGuess }) => {
      return { ...leaderboardEntry(view, address, counts), ...(isGuess ? { guess: true } : {}) };
    });
}

/** Entries without `updated_at`, as above. */
export function ranked(view: NaiveView, query: RankedQuery = {}) {
  const { sort = 'mutuals', direction = 'desc', limit = 50, offset = 0 } = query;
  const sign = direction === 'desc' ? -1 : 1;
  return [...view.members]
    .map(([address, counts]) => ({ address, counts, count: counts[COUNTS[sort]] }))
    .sort(
      (a, b) =>
        Number(a.count === 0) - Number(b.count === 0) ||
        sign * (a.count - b.count) ||
        compareText(a.address, b.address),
    )
    .slice(offset, offset + limit)
    .map(({ address, counts }) => leaderboardEntry(view, address, counts));
}

/** What each list of counts counts of an account, and the key of the count. */
const COUNT_ROWS = {
  followers: ['followers_count', (address, edges) => countsOf(address, edges).followers],
  following: ['following_count', (address, edges) => countsOf(address, edges).following],
  mutuals: ['mutuals_count', (address, edges) => countsOf(address, edges).mutuals],
  blocked: ['blocked_by_count', (address, edges) => edgesOf(edges, 'block').filter(({ to }) => to === address).length],
  blocks: ['blocks_count', (address, edges) => edgesOf(edges, 'block').filter(({ from }) => from === address).length],
  muted: ['muted_by_count', (address, edges) => edgesOf(edges, 'mute').filter(({ to }) => to === address).length],
  mutes: ['mutes_count', (address, edges) => edgesOf(edges, 'mute').filter(({ from }) => from === address).length],
} as const satisfies Record<string, [key: string, count: (address: string, edges: readonly NaiveEdge[]) => number]>;
export const COUNT_NAMES = Object.keys(COUNT_ROWS) as (keyof typeof COUNT_ROWS)[];

const edgesOf = (edges: readonly NaiveEdge[], relation: string) => edges.filter((edge) => edge.relation === relation);

/** Accounts whose count is above 0, whether or not they are on the leaderboard. */
export function countRows(
  { rankedEdges: edges }: NaiveView,
  name: keyof typeof COUNT_ROWS,
  { limit = 10, offset = 0 }: Pick<RankedQuery, 'limit' | 'offset'>,
) {
  const [key, countOf] = COUNT_ROWS[name];
  const counted = [...new Set(edges.flatMap(({ from, to }) => [from, to]))]
    .map((address) => ({ address, count: countOf(address, edges) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || compareText(a.address, b.address));
  const rank = (count: number) => 1 + counted.filter((other) => other.count > count).length;
  const rows = counted.map(({ address, count }) => ({ rank: rank(count), address, [key]: String(count) }));
  return rows.slice(offset, offset + limit);
}

export function allMembers(view: NaiveView, { limit, offset = 0 }: Pick<RankedQuery, 'limit' | 'offset'>) {
  const results = [...view.members.keys()]
    .map((address) => ({ address, name: profileOf(view, address).name }))
    .sort(byPopularity(view))
    .slice(offset, limit === undefined ? undefined : offset + limit);
  return { results };
}

/** All are "0" for an account that is not on the leaderboard. */
export function ranksOf({ members }: NaiveView, address: string) {
  const rank = (count: keyof NaiveCounts) => String(rankOf(address, count, members));
  return {
    mutuals_rank: rank('mutuals'),
    followers_rank: rank('followers'),
    following_rank: rank('following'),
    top8_rank: rank('top8'),
    blocks_rank: rank('blocks'),
  };
}

function leaderboardEntry(view: NaiveView, address: string, counts: NaiveCounts) {
  const { name, avatar, header } = profileOf(view, address);
  const { mutuals_rank, followers_rank, following_rank, blocks_rank, top8_rank } = ranksOf(view, address);
  return {
    address,
    name,
    avatar,
    mutuals_rank,
    followers_rank,
    following_rank,
    blocks_rank,
    mutuals: String(counts.mutuals),
    following: String(counts.following),
    followers: String(counts.followers),
    blocks: String(counts.blocks),
    header,
    top8: String(counts.top8),
    top8_rank,
  };
}
