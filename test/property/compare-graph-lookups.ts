import { expect } from 'vitest';
import { discover, graphStats } from '../model/naive-discovery.ts';
import { allMembers, COUNT_NAMES, countRows, type RankedQuery, ranked } from '../model/naive-leaderboard.ts';
import { minters, slotDetails } from '../model/naive-lists.ts';
import type { NaiveView } from '../model/naive-view.ts';
import { textOf } from './random-queries.ts';
import type { ExpectAnswer, Get } from './with-service.ts';

const PAGES = [{}, { limit: 3, offset: 2 }, { limit: 1000, offset: 0 }];
const SORTS = ['mutuals', 'followers', 'following', 'blocked', 'blocks', 'top8'] as const;
const DIRECTIONS = [undefined, 'desc', 'asc'] as const;

/** Compares the lookups that are about no single account or list. */
export async function compareGraphLookups(
  get: Get,
  expectAnswer: ExpectAnswer,
  view: NaiveView,
  rankedAt: number,
): Promise<void> {
  const time = new Date(rankedAt).toISOString();
  const answer = (query: RankedQuery) => ({
    last_updated: time,
    results: ranked(view, query).map((entry) => ({ ...entry, updated_at: time })),
  });
  for (const sort of SORTS) {
    for (const direction of DIRECTIONS) {
      for (const page of PAGES) {
        const query = { sort, direction, ...page };
        await expectAnswer(`/leaderboard/ranked${textOf(query)}`, answer(query));
      }
    }
  }
  for (const text of ['', '?sort=&direction=', '?sort=undefined&direction=null&limit=']) {
    await expectAnswer(`/leaderboard/ranked${text}`, answer({}));
  }
  for (const page of PAGES) await expectAnswer(`/discover${textOf(page)}`, discover(view, page));
  await expectAnswer('/leaderboard/count', { leaderboardCount: String(view.members.size) });
  for (const page of [...PAGES, { offset: 3 }]) {
    await expectAnswer(`/leaderboard/all${textOf(page)}`, allMembers(view, page));
    await expectAnswer(`/minters${textOf(page)}`, minters(view, page));
    for (const name of COUNT_NAMES) {
      await expectAnswer(`/leaderboard/${name}${textOf(page)}`, countRows(view, name, page));
    }
  }
  for (const { path, body } of slotDetails(view)) {
    // Any number is a chain in a storage location, but not in a path.
    if (!Number.isSafeInteger(Number(path.chainId))) continue;
    await expectAnswer(
      `/slots/${path.chainId}/${path.contract.toUpperCase().replace('X', 'x')}/${path.slot}/details`,
      body,
    );
  }
  await expectAnswer('/stats', graphStats(view));
  // The order of the keys is part of the answer.
  expect((await get('/stats')).text).toBe(JSON.stringify(graphStats(view)));
}
