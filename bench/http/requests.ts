import type { Subject } from './data-sets.ts';

/** A kind of request, with the share of a bare server's throughput that it must reach: without the cache, and with it. */
export interface Kind {
  readonly name: string;
  readonly bar: number;
  path(draw: Draw): string;
}

export const HIT_BAR = 0.85;

/** Draws what requests are about. */
export interface Draw {
  subject(): Subject;
  term(): string;
}

const followers = (scope: string, of: (subject: Subject) => string): Kind[] =>
  ['latest', 'earliest', 'followers'].map((sort) => ({
    name: `${scope}/followers ${sort}`,
    bar: 0.4,
    path: (draw) => `/${of(draw.subject())}/followers${sort === 'latest' ? '' : `?sort=${sort}`}`,
  }));

const user = ({ address }: Subject) => `users/${address}`;
const list = (subject: Subject) => `lists/${subject.list}`;

export const KINDS: readonly Kind[] = [
  { name: 'lists/details', bar: 0.45, path: (draw) => `/${list(draw.subject())}/details` },
  ...followers('users', user),
  ...followers('lists', list),
  { name: 'notifications all', bar: 0.35, path: (draw) => `/${user(draw.subject())}/notifications?interval=all` },
  { name: 'notifications week', bar: 0.35, path: (draw) => `/${user(draw.subject())}/notifications` },
  { name: 'users/badges', bar: 0.45, path: (draw) => `/${user(draw.subject())}/badges` },
  { name: 'lists/badges', bar: 0.45, path: (draw) => `/${list(draw.subject())}/badges` },
  {
    name: 'search',
    bar: 0.2,
    path: (draw) => `/leaderboard/search?term=${encodeURIComponent(draw.term())}`,
  },
];

/** A fixed sequence of fractions. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const LONGEST_TERM = 8;

/** The account of rank r is drawn with a weight of 1 / r; terms of every length and kind alike. */
export function createDraw(subjects: readonly Subject[], seed: number): Draw {
  const random = createRandom(seed);
  const named = subjects.filter(({ name }) => name !== '');
  const below = (count: number) => Math.floor(random() * count);
  // Safe: there is at least one account, and `below` gives an index.
  const any = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const subject = () => subjects[Math.floor(subjects.length ** random()) - 1] ?? any(subjects);
  const slice = (text: string, length: number) => {
    const characters = [...text];
    const start = below(Math.max(1, characters.length - length + 1));
    return characters.slice(start, start + length).join('');
  };
  const kinds: ((length: number) => string)[] = [
    (length) => [...any(named).name].slice(0, length).join(''),
    (length) => slice(any(named).name, length),
    (length) => slice(any(subjects).address.slice(2), length),
    (length) => any(subjects).address.slice(0, length),
    // Letters that no name has in a row, and no address at all.
    (length) => 'qzxwvkjq'.slice(0, length),
  ];
  return { subject, term: () => any(kinds)(1 + below(LONGEST_TERM)) };
}
