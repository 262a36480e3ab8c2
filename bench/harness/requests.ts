import { below, choose, createRandom } from '../../src/demo/random.ts';
import { SORTS } from '../../src/lookup/edges-page.ts';
import type { Subject } from './data-sets.ts';

/** A kind of request. */
export interface Kind {
  readonly name: string;
  readonly lookup: 'details' | 'badges' | 'followers' | 'notifications' | 'search';
  path(draw: Draw): string;
}

/** Random accounts and search terms. */
export interface Draw {
  subject(): Subject;
  term(): string;
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

export const API = '/api/v1';

/** Number of different requests with the cache off: more than are sent in a round. */
export const DISTINCT = 20_000;

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
  };
}
