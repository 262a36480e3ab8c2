import { expect } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import type { NaiveModel } from '../model/naive-model.ts';
import type { Random } from '../model/random.ts';
import { HISTORY_END } from '../model/random-history.ts';
import { isDeep } from '../support/effort.ts';
import { textOf } from './random-queries.ts';
import { type Compared, type ExpectAnswer, type Get, withService } from './with-service.ts';

const SORTS = ['latest', 'earliest', 'followers'] as const;
const TAGS = ['', 'top8', 'friend', 'top8,friend,block', 'nobody-has-this', ' TOP8 ,', 'top8,friend,a,b,c,d,e,f,g'];
const PAGES = [
  { limit: 10, offset: 0 },
  { limit: 1, offset: 1 },
  { limit: 3, offset: 2 },
  { limit: 1000, offset: 0 },
];
const INTERVALS = ['hour', 'day', 'week', 'month', 'all'] as const;
const TERMS = [
  '',
  'sub1',
  '.eth',
  '0x',
  'sub1.eth',
  'A',
  'ab',
  'bad',
  'zz',
  '%',
  '_',
  '0',
  'x',
  'שלום',
  'e\u0301',
  '👩‍👧',
];
const GUESSED = ['sub1', 'sbu1', 'xub1', 'suub4', 'ub11', 'sub1.ehh', 'sub', 'dead', '👩‍👨sub', 'שלו'];

/** The share of the queries about an account to ask. Each of them is asked about many accounts. */
const SHARE = isDeep ? 1 : 0.25;

/** Compares the responses of the seven endpoints, over HTTP, with those of the model. */
export function compareAnswers(
  store: Store,
  model: NaiveModel,
  { rankedAt, random, ...compared }: Compared & { rankedAt: number; random: Random },
): Promise<void> {
  return withService(store, compared, async (get, expectAnswer) => {
    for (const account of model.accounts()) {
      await compareFollowers(expectAnswer, model, account, SORTS, random);
      await compareNotifications(expectAnswer, model, account, random);
    }
    await compareLists(get, expectAnswer, model);
    await compareLeaderboard(expectAnswer, model, rankedAt);
  });
}

/** The same for `sort=followers` alone. */
export function comparePopular(
  store: Store,
  model: NaiveModel,
  { random, ...compared }: Compared & { random: Random },
): Promise<void> {
  return withService(store, compared, async (_get, expectAnswer) => {
    for (const account of model.accounts()) await compareFollowers(expectAnswer, model, account, ['followers'], random);
  });
}

async function compareFollowers(
  expectAnswer: ExpectAnswer,
  model: NaiveModel,
  account: string,
  sorts: readonly (typeof SORTS)[number][],
  random: Random,
): Promise<void> {
  for (const sort of sorts) {
    for (const tags of TAGS) {
      for (const page of tags === '' ? PAGES : PAGES.slice(0, 2)) {
        if (!random.chance(SHARE)) continue;
        const query = new URLSearchParams({ sort, tags, limit: `${page.limit}`, offset: `${page.offset}` });
        await expectAnswer(`/users/${account}/followers?${query}`, model.followers(account, { sort, tags, ...page }));
      }
    }
  }
}

async function compareNotifications(
  expectAnswer: ExpectAnswer,
  model: NaiveModel,
  account: string,
  random: Random,
): Promise<void> {
  for (const opcode of [0, 1, 2, 3, 4]) {
    for (const interval of INTERVALS) {
      for (const tag of ['', 'top8', 'friend']) {
        if (!random.chance(SHARE)) continue;
        const start = HISTORY_END;
        const query = new URLSearchParams({ interval, tag, opcode: `${opcode}`, limit: '20' });
        const expected = model.notifications(account, { opcode, interval, tag, start, limit: 20 });
        await expectAnswer(`/users/${account}/notifications?${query}`, expected);
      }
    }
  }
  const start = HISTORY_END - 20 * 86_400;
  const expected = model.notifications(account, { interval: 'month', start, limit: 5, offset: 3 });
  await expectAnswer(`/users/${account}/notifications?interval=month&start=${start}&limit=5&offset=3`, expected);
}

async function compareLists(get: Get, expectAnswer: ExpectAnswer, model: NaiveModel): Promise<void> {
  for (const list of [...model.lists(), '999999999']) {
    const account = model.accountOfList(list);
    const details = await get(`/lists/${list}/details`);
    if (account === null) {
      const statuses = [details, await get(`/lists/${list}/followers`), await get(`/lists/${list}/badges`)];
      expect({ list, statuses: statuses.map(({ status }) => status) }).toEqual({ list, statuses: [404, 404, 404] });
      continue;
    }
    const { address, ranks, primary_list } = details.json;
    expect({ list, address, ranks, primary_list }).toEqual({
      list,
      address: account,
      ranks: model.ranks(account),
      primary_list: model.primaryList(account),
    });
    for (const sort of SORTS) {
      const expected = model.followers(account, { sort, limit: 4, offset: 1, excludeHidden: true });
      await expectAnswer(`/lists/${list}/followers?sort=${sort}&limit=4&offset=1`, expected);
      const tagged = model.followers(account, { sort, tags: 'top8,friend', excludeHidden: true });
      await expectAnswer(`/lists/${list}/followers?sort=${sort}&tags=top8,friend`, tagged);
    }
  }
}

async function compareLeaderboard(expectAnswer: ExpectAnswer, model: NaiveModel, rankedAt: number): Promise<void> {
  for (const term of TERMS) {
    for (const page of [
      { limit: 50, offset: 0 },
      { limit: 3, offset: 2 },
    ]) {
      await compareSearch({ term, ...page });
    }
  }
  for (const term of GUESSED) await compareSearch({ term, guess: true, limit: 20, offset: 0 });

  async function compareSearch(query: { term: string; guess?: boolean; limit: number; offset: number }) {
    const time = new Date(rankedAt).toISOString();
    const results = model.leaderboard(query).map((entry) => ({ ...entry, updated_at: time }));
    const { guess, ...rest } = query;
    const text = textOf({ ...rest, ...(guess === undefined ? {} : { guess: `${guess}` }) });
    await expectAnswer(`/leaderboard/search${text}`, { last_updated: time, results });
  }
}
