import { below, choose, createRandom } from '../../src/demo/random.ts';
import { RANKED_SORTS } from '../../src/lookup/leaderboard/ranked.ts';
import { SORTS } from '../../src/lookup/page.ts';
import type { Subject } from './data-sets.ts';

/** A kind of request. */
export interface Kind {
  readonly name: string;
  readonly lookup:
    | ('details' | 'badges' | 'followers' | 'notifications' | 'search')
    | ('account' | 'state' | 'edges' | 'batch' | 'ranked' | 'further' | 'accounts');
  /** The path, and after a line break the body of a POST. */
  path(draw: Draw): string;
}

/** Random accounts and search terms. */
export interface Draw {
  subject(): Subject;
  term(): string;
  /** A count of the leaderboard. */
  measure(): string;
  /** The start of one of the first pages. */
  offset(): number;
}

const followers = (scope: string, of: (subject: Subject) => string): Kind[] =>
  SORTS.map((sort) => ({
    name: `${scope}/followers ${sort}`,
    lookup: 'followers',
    path: (draw) => `/${of(draw.subject())}/followers${sort === 'latest' ? '' : `?sort=${sort}`}`,
  }));

const user = ({ address }: Subject) => `users/${address}`;
const list = (subject: Subject) => `lists/${subject.list}`;

export const SEARCH: Kind = { name: 'search', lookup: 'search', path: (draw) => searchFor(draw.term()) };

export const KINDS: readonly Kind[] = [
  { name: 'lists/details', lookup: 'details', path: (draw) => `/${list(draw.subject())}/details` },
  ...followers('users', user),
  ...followers('lists', list),
  {
    name: 'notifications all',
    lookup: 'notifications',
    path: (draw) => `/${user(draw.subject())}/notifications?interval=all`,
  },
  { name: 'notifications week', lookup: 'notifications', path: (draw) => `/${user(draw.subject())}/notifications` },
  { name: 'users/badges', lookup: 'badges', path: (draw) => `/${user(draw.subject())}/badges` },
  { name: 'lists/badges', lookup: 'badges', path: (draw) => `/${list(draw.subject())}/badges` },
  SEARCH,
];

const kind = (name: string, lookup: Kind['lookup'], path: Kind['path']): Kind => ({ name, lookup, path });
const BATCH_SIZE = 20;
const addressesOf = (draw: Draw) => JSON.stringify(Array.from({ length: BATCH_SIZE }, () => draw.subject().address));

/** The requests of published clients. Measured with the cache off only: hits are the same for all lookups. */
export const CLIENT_KINDS: readonly Kind[] = [
  kind('users/account', 'account', (draw) => `/${user(draw.subject())}/account`),
  kind('lists/account', 'account', (draw) => `/${list(draw.subject())}/account`),
  kind('users/stats', 'account', (draw) => `/${user(draw.subject())}/stats`),
  kind('lists/stats', 'account', (draw) => `/${list(draw.subject())}/stats`),
  kind('followerState', 'state', (draw) => `/${user(draw.subject())}/${draw.subject().address}/followerState`),
  kind('buttonState', 'state', (draw) => `/${list(draw.subject())}/${draw.subject().address}/buttonState`),
  kind('users/following', 'edges', (draw) => `/${user(draw.subject())}/following`),
  kind('lists/following', 'edges', (draw) => `/${list(draw.subject())}/following`),
  kind('allFollowing', 'edges', (draw) => `/${user(draw.subject())}/allFollowing`),
  kind('allFollowers', 'edges', (draw) => `/${user(draw.subject())}/allFollowers`),
  kind('latestFollowers', 'edges', (draw) => `/${list(draw.subject())}/latestFollowers`),
  kind('batch of 20', 'batch', (draw) => `/${list(draw.subject())}/buttonStateBatch\n${addressesOf(draw)}`),
  kind('accounts of 20', 'accounts', (draw) => `/accounts\n${addressesOf(draw)}`),
  kind(
    'accounts of 20, viewer',
    'accounts',
    (draw) => `/accounts?viewer=${draw.subject().address}\n${addressesOf(draw)}`,
  ),
  kind('edges among 20', 'batch', (draw) => `/edges/among\n${addressesOf(draw)}`),
  kind('simple-profile', 'further', (draw) => `/${user(draw.subject())}/simple-profile`),
  kind('relationship', 'further', (draw) => `/${user(draw.subject())}/${draw.subject().address}/relationship`),
  kind('mutuals', 'further', (draw) => `/${user(draw.subject())}/mutuals`),
  kind('lists', 'further', (draw) => `/${list(draw.subject())}`),
  kind('leaderboard/followers', 'further', (draw) => `/leaderboard/followers?offset=${draw.offset()}`),
  kind('leaderboard/blocks', 'further', (draw) => `/leaderboard/blocks?offset=${draw.offset()}`),
  kind('leaderboard/count', 'further', () => '/leaderboard/count'),
  kind('list-records', 'further', (draw) => `/${user(draw.subject())}/list-records`),
  kind('allFollowingAddresses', 'further', (draw) => `/${user(draw.subject())}/allFollowingAddresses`),
  kind('relationships', 'further', (draw) => `/${user(draw.subject())}/relationships?tag=top8&direction=in`),
  kind('qr', 'further', (draw) => `/${user(draw.subject())}/qr`),
  kind('minters', 'further', (draw) => `/minters?offset=${draw.offset()}`),
  kind('ranked', 'ranked', (draw) => `/leaderboard/ranked?sort=${draw.measure()}&offset=${draw.offset()}`),
];

export const API = '/api/v1';

/** Number of different requests with the cache off: more than are sent in a round, and few enough to send each once before. */
export const DISTINCT = 5_000;

/** Paths of one kind; deterministic. */
export function pathsOf(kind: Kind, subjects: readonly Subject[], count: number, seed = 7): string[] {
  const draw = createDraw(subjects, seed);
  return Array.from({ length: count }, () => API + kind.path(draw));
}

/** Paths of all kinds in rotation. */
export function mixedPaths(subjects: readonly Subject[], count: number): string[] {
  const draw = createDraw(subjects, 7);
  // Safe: the remainder is an index.
  return Array.from({ length: count }, (_, i) => API + (KINDS[i % KINDS.length] as Kind).path(draw));
}

export function searchFor(term: string): string {
  return `/leaderboard/search?term=${encodeURIComponent(term)}`;
}

const LONGEST_TERM = 8;
/** A term without a match. */
const NO_MATCH = 'qzxwvkjq';

const PAGE = 50;
const MAX_PAGES = 20;

/** Draws the account of rank r with weight 1 / r, for search terms as well. Lengths and kinds of terms are uniform. */
export function createDraw(subjects: readonly Subject[], seed: number): Draw {
  const random = createRandom(seed);
  const named = subjects.filter(({ name }) => name !== '');
  const any = <T>(values: readonly T[]): T => choose(values, random());
  const drawAccount = (all: readonly Subject[]) => choose(all, (all.length ** random() - 1) / all.length);
  const slice = (text: string, length: number) => {
    const characters = [...text];
    const start = below(random, Math.max(1, characters.length - length + 1));
    return characters.slice(start, start + length).join('');
  };
  const terms: ((length: number) => string)[] = [
    (length) => [...drawAccount(named).name].slice(0, length).join(''),
    (length) => slice(drawAccount(named).name, length),
    (length) => slice(drawAccount(subjects).address.slice(2), length),
    (length) => drawAccount(subjects).address.slice(0, length),
    (length) => NO_MATCH.slice(0, length),
  ];
  return {
    subject: () => drawAccount(subjects),
    term: () => any(terms)(1 + below(random, LONGEST_TERM)),
    measure: () => any(RANKED_SORTS),
    offset: () => below(random, MAX_PAGES) * PAGE,
  };
}
