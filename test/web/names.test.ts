import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NOW, STAR } from '../http/support.ts';
import { loadProfiles, loadRanks } from '../support/load.ts';
import { panelOf, searchField } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

/** Its first two labels are written from right to left. */
const NAME = 'אבג.مثال.eth';
const LABELS = NAME.split('.');

const PROFILE = {
  address: STAR.address,
  fresh: NOW * 1000,
  name: NAME,
  avatar: '',
  header: '',
  display: '',
  records: {},
  chains: {},
};

const leftOf = async (part: Locator): Promise<number> => (await part.boundingBox())?.x ?? Number.NaN;

/** The labels of a name as they stand on the page, from left to right. */
async function labelsOf(name: Locator): Promise<string[]> {
  const labels = await name.locator('bdi').all();
  const placed = await Promise.all(
    labels.map(async (label) => ({ text: (await label.textContent()) ?? '', left: await leftOf(label) })),
  );
  return placed.toSorted((a, b) => a.left - b.left).map(({ text }) => text);
}

describe('a name in Hebrew and Arabic', () => {
  const explorer = useExplorer({
    load: async (store) => {
      await loadProfiles(store, [PROFILE]);
      await loadRanks(store, NOW * 1000);
    },
  });
  const namesOn = (part: Locator | Page) => part.locator('.name').filter({ hasText: NAME });

  it.each([
    ['the header of its page', `/account/${STAR.address}`],
    ['the activity around it', `/account/${STAR.address}/activity`],
    ['the leaderboard', '/leaderboard?sort=followers'],
    ['the start page', '/'],
  ])('has its labels from left to right in %s', async (_place, path) => {
    const page = await explorer().open(path);
    await namesOn(page).last().waitFor();
    for (const name of await namesOn(page).all()) {
      expect(await labelsOf(name)).toEqual(LABELS);
    }
  });

  it('begins where other names of a column begin', async () => {
    const page = await explorer().open('/leaderboard?sort=followers');
    const names = panelOf(page, 'Accounts').locator('tbody .name');
    await names.first().waitFor();
    expect(await names.first().textContent()).toBe(NAME);
    const glyphs = namesOn(page).locator('bdi').first();
    expect(await leftOf(glyphs)).toBe(await leftOf(names.nth(1)));
  });

  it('is found by a part of it, which is marked in each label', async () => {
    const page = await explorer().open('/network');
    await searchField(page).fill('ג.مث');
    const found = namesOn(page.getByRole('option'));
    await found.waitFor();
    expect(await found.locator('mark').allTextContents()).toEqual(['ג', 'مث']);
  });
});
