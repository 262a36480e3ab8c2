import type { HistoryQuery } from '../model/naive-history.ts';
import type { OpsQuery } from '../model/naive-ops.ts';
import type { PageQuery, SearchQuery } from '../model/naive-page.ts';
import { type NaiveView, profileOf } from '../model/naive-view.ts';
import type { Random } from '../model/random.ts';
import { HISTORY_END } from '../model/random-history.ts';

const SORTS = ['latest', 'earliest', 'followers'] as const;
const TAGS = ['top8', 'block,mute', 'friend,%', ' TOP8 ,', 'a,b', 'nobody-has-this', 'top8,friend,block,mute,é,_,"'];
const PAGES = [
  { limit: 10, offset: 0 },
  { limit: 1, offset: 1 },
  { limit: 3, offset: 2 },
  { limit: 1000, offset: 0 },
  { limit: 2, offset: 1000 },
];
const TERMS = [
  ...['', ' ', 'sub', ' SUB1', 'sub2.eth', '.eth', '0x', '0', 'A', 'zz', '%', '_', '\\', 'null', 'x', 'ab', 'bad'],
  ...['שלום', 'e\u0301', '👩‍👧', 'a'.repeat(255), '0x00', '3fa'],
];

/** The words count as absent, and so does an empty value. */
const ABSENT = ['', 'undefined', 'null'];

/** A query as text, with its leading question mark, and as the model takes it. */
export interface Asked<Query> {
  readonly text: string;
  readonly query: Query;
}

export function randomPage(random: Random): Asked<PageQuery> {
  const query = {
    ...(random.chance(0.6) ? random.pick(PAGES) : {}),
    tags: random.chance(0.5) ? random.pick(TAGS) : '',
    sort: random.chance(0.8) ? random.pick(SORTS) : undefined,
    include: random.pick([undefined, undefined, '', 'ens', 'other,ens', 'other']),
  };
  // Clients send a term to routes that have none.
  return { query, text: textOf({ ...query, sort: query.sort ?? random.pick(ABSENT), term: 'ignored' }) };
}

export function randomSearch(random: Random, accounts: readonly string[]): Asked<SearchQuery> {
  const term = random.chance(0.8)
    ? random.pick(TERMS)
    : random.pick(accounts).slice(random.pick([0, 0, 1, 2, 7]), random.pick([3, 4, 9, 42]));
  const query = { term, ...(random.chance(0.5) ? random.pick(PAGES) : {}) };
  return { query, text: textOf(query) };
}

export function randomSlice(random: Random): Asked<{ limit?: number; offset?: number }> {
  const query = random.chance(0.6) ? random.pick(PAGES) : {};
  return { query, text: textOf(query) };
}

const OP_INTERVALS = ['hour', 'day', 'week', 'month', 'all'] as const;

/** A page of list ops. */
export function randomOps(random: Random): Asked<OpsQuery> {
  const query = {
    opcode: random.pick([0, 0, 1, 2, 3, 4]),
    interval: random.pick(OP_INTERVALS),
    tag: random.pick(['', '', 'top8', ' Friend', 'block', 'nobody-has-this']),
    start: HISTORY_END - random.pick([0, 0, 3600, 20 * DAY]),
    ...(random.chance(0.6) ? random.pick(PAGES) : {}),
  };
  return { query, text: textOf(query) };
}

const DAY = 86_400;

export function randomHistory(random: Random): Asked<HistoryQuery> {
  const interval = random.pick(['day', 'week', 'month'] as const);
  const to = HISTORY_END - random.int(45 * DAY);
  const from = to - random.int(60 * DAY);
  const asText = (time: number) => random.pick([`${time}`, new Date(time * 1000).toISOString()]);
  return random.pick([
    { query: { interval, from, to }, text: textOf({ interval, from: asText(from), to: asText(to) }) },
    { query: { interval, from, to: HISTORY_END }, text: textOf({ interval, from: asText(from) }) },
    { query: { interval, to }, text: textOf({ interval, to: asText(to) }) },
    { query: { interval, to: HISTORY_END }, text: textOf({ interval }) },
  ]);
}

/** One of the ways to write an account in a path. */
export function randomSpelling(random: Random, view: NaiveView, account: string): string {
  const { name } = profileOf(view, account);
  const names = name === '' ? [] : [name, name.toUpperCase()];
  return random.pick([account, upperCase(account), ...names]);
}

/** Entries of the body of a batch. */
export function randomBatch(random: Random, view: NaiveView, accounts: readonly string[]): (string | null)[] {
  const known = accounts.map((account) => randomSpelling(random, view, account));
  const unknown = [null, '', 'nobody', 'nobody.eth', '0x12', 'not a name.eth'];
  return Array.from({ length: 30 }, () => (random.chance(0.7) ? random.pick(known) : random.pick(unknown)));
}

export function textOf(query: Readonly<Record<string, string | number | undefined>>): string {
  const given = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) given.append(key, String(value));
  return given.size === 0 ? '' : `?${given}`;
}

const upperCase = (account: string) => `0x${account.slice(2).toUpperCase()}`;
