import { below, choose, createRandom } from '../../src/demo/random.ts';
import type { Subject } from './data-sets.ts';

/** A kind of request. */
export interface Kind {
  readonly name: string;
  /** The path below /api/v1, and after a line break the body of a POST. */
  path(draw: Draw): string;
}

/** Random accounts and search terms. */
interface Draw {
  subject(): Subject;
  term(): string;
  /** The start of one of the first pages. */
  offset(): number;
}

const kind = (name: string, path: Kind['path']): Kind => ({ name, path });
const ofUser = (lookup: string) =>
  kind(`users/:user/${lookup}`, (draw) => `/users/${draw.subject().address}/${lookup}`);
const ofList = (lookup: string) => kind(`lists/:list/${lookup}`, (draw) => `/lists/${draw.subject().list}/${lookup}`);
const ofBoth = (lookup: string) =>
  kind(
    `users/:user/:other/${lookup}`,
    (draw) => `/users/${draw.subject().address}/${draw.subject().address}/${lookup}`,
  );
const someAddresses = (draw: Draw) => JSON.stringify(Array.from({ length: 20 }, () => draw.subject().address));

export const FOLLOWERS = ofUser('followers');
export const FOLLOWERS_BY_FOLLOWERS = ofUser('followers?sort=followers');
export const FOLLOWERS_WITH_ENS = ofUser('followers?include=ens');
export const FOLLOWING = ofUser('following');
export const DETAILS = ofUser('details');
export const ACCOUNT = ofUser('account');
const STATS = ofUser('stats');
export const NOTIFICATIONS = ofUser('notifications?interval=all');
const FOLLOWER_STATE = ofBoth('followerState');
export const LEADERBOARD = kind('leaderboard/ranked', (draw) => `/leaderboard/ranked?offset=${draw.offset()}`);
const SEARCH = kind('leaderboard/search', (draw) => searchFor(draw.term()));

const ACCOUNTS = kind('accounts of 20', (draw) => `/accounts\n${someAddresses(draw)}`);

/** What clients ask for most. */
export const COMMON: readonly Kind[] = [
  ...[FOLLOWERS, FOLLOWERS_BY_FOLLOWERS, FOLLOWERS_WITH_ENS, FOLLOWING, DETAILS, ACCOUNT, STATS, NOTIFICATIONS],
  ...[FOLLOWER_STATE, ACCOUNTS, LEADERBOARD, SEARCH],
];

export const KINDS: readonly Kind[] = [
  ...COMMON,
  ...[ofList('details'), ofList('followers'), ofList('following'), ofList('account'), ofList('badges')],
  ...[ofUser('mutuals'), ofUser('lists'), ofUser('tags'), ofUser('allFollowers'), ofUser('simple-profile')],
  ...[ofUser('list-records'), ofUser('relationships?tag=top8&direction=in'), ofUser('qr'), ofBoth('relationship')],
  kind('buttonState of 20', (draw) => `/lists/${draw.subject().list}/buttonStateBatch\n${someAddresses(draw)}`),
  kind('edges among 20', (draw) => `/edges/among\n${someAddresses(draw)}`),
  kind('leaderboard/followers', (draw) => `/leaderboard/followers?offset=${draw.offset()}`),
  kind('minters', (draw) => `/minters?offset=${draw.offset()}`),
];

export const API = '/api/v1';

/** Different requests of a kind: enough that few are repeated in a round. */
const DISTINCT = 500;

/** Paths of one kind; deterministic. */
export function pathsOf(kind: Kind, subjects: readonly Subject[], count = DISTINCT, seed = 7): string[] {
  const draw = createDraw(subjects, seed);
  return Array.from({ length: count }, () => API + kind.path(draw));
}

function searchFor(term: string): string {
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
    term: () => choose(terms, random())(1 + below(random, LONGEST_TERM)),
    offset: () => below(random, MAX_PAGES) * PAGE,
  };
}
