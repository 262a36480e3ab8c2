import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accountsIn, nameOf, panelOf, scrollToEnd } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const COLUMNS = [
  ['Mutuals', 'mutuals'],
  ['Followers', 'followers'],
  ['Following', 'following'],
  ['Blocked by', 'blocks'],
  ['In top 8 of', 'top8'],
] as const;
const KEYS = COLUMNS.map(([, key]) => key);
/** As many as the page requests at once. */
const FIRST = 50;

type Member = Record<string, string> & { address: string };

const table = (page: Page) => panelOf(page, 'Accounts').getByRole('table');

/** What the first rows of the table show: rank, then the count and rank of each column. */
async function rowsOn(page: Page): Promise<string[][]> {
  const rows: string[][] = await table(page)
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));
  return rows.slice(0, FIRST);
}

const rowOf = (member: Member, sort: string) => [
  member[sort] === '0' ? '–' : member[`${sort}_rank`],
  ...KEYS.map((key) => (member[key] === '0' ? '0–' : `${member[key]}#${member[`${key}_rank`]}`)),
];

describe('the leaderboard', () => {
  const explorer = useExplorer();
  const ranked = async (query: string): Promise<Member[]> =>
    (await explorer().ask(`/leaderboard/ranked?limit=${FIRST}&${query}`)).results;

  it.each(COLUMNS)('is sorted by %s in both directions as the API sorts it', async (label, key) => {
    const other = key === 'blocks' ? 'top8' : 'blocks';
    const page = await explorer().open(`/leaderboard?sort=${other}`);
    const header = table(page).getByRole('columnheader', { name: label });
    for (const [direction, order] of [
      ['desc', 'descending'],
      ['asc', 'ascending'],
    ] as const) {
      await header.getByRole('button').click();
      const members = await ranked(`sort=${key}&direction=${direction}`);
      await expect.poll(() => rowsOn(page)).toEqual(members.map((member) => rowOf(member, key)));
      expect((await accountsIn(table(page))).slice(0, FIRST)).toEqual(members.map(nameOf));
      expect(await header.getAttribute('aria-sort')).toBe(order);
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(
        direction === 'asc' ? { sort: key, direction } : { sort: key },
      );
    }
  });

  it('shows every member exactly once by scrolling to the end', async () => {
    const { results } = await explorer().ask('/leaderboard/ranked?limit=1000');
    expect(results.length).toBeGreaterThan(FIRST);
    const page = await explorer().open('/leaderboard');
    const end = page.getByText(`All ${results.length} accounts are shown.`);
    await scrollToEnd(table(page).getByRole('row'), end);
    expect(await accountsIn(table(page))).toEqual(results.map(nameOf));
  });

  it('keeps its order after a reload', async () => {
    const page = await explorer().open('/leaderboard?sort=following&direction=asc');
    await page.reload();
    const members = await ranked('sort=following&direction=asc');
    await expect.poll(() => rowsOn(page)).toEqual(members.map((member) => rowOf(member, 'following')));
  });

  it('requests at most two pages when it is reloaded after scrolling', async () => {
    const page = await explorer().open('/leaderboard', { viewport: { width: 1300, height: 800 } });
    await scrollToEnd(table(page).getByRole('row'), page.getByText(/^All .* accounts are shown\.$/));
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    await page.reload();
    await expect.poll(() => table(page).getByRole('row').count()).toBeGreaterThan(FIRST);
    await page.waitForLoadState('networkidle');
    expect(urls.filter((url) => url.includes('/leaderboard/ranked')).length).toBeLessThanOrEqual(2);
  });

  it('can be sorted on a narrow screen, where the column headers are hidden', async () => {
    const page = await explorer().open('/leaderboard', { viewport: { width: 320, height: 700 } });
    await page.getByLabel('Sorted by').selectOption({ label: 'In top 8 of' });
    const members = await ranked('sort=top8');
    await expect.poll(async () => (await accountsIn(table(page))).slice(0, FIRST)).toEqual(members.map(nameOf));
  });

  it('is filtered by a name, which stays in the URL, page by page', async () => {
    const { results } = await explorer().ask('/leaderboard/search?term=e&limit=1000');
    expect(results.length).toBeGreaterThan(2 * FIRST);
    const page = await explorer().open('/leaderboard?sort=followers');
    await page.getByRole('searchbox', { name: 'Filter by name' }).pressSequentially('e');
    await page.waitForURL(/[?&]term=e$/);
    await scrollToEnd(table(page).getByRole('row'), page.getByText(`All ${results.length} matches are shown.`));
    expect(await accountsIn(table(page))).toEqual(results.map(nameOf));
    expect(await rowsOn(page)).toEqual(results.slice(0, FIRST).map((member: Member) => rowOf(member, 'followers')));
    // Only a sorted table may say that it is.
    expect(await table(page).locator('[aria-sort]').count()).toBe(0);
    await page.reload();
    await expect
      .poll(() => rowsOn(page))
      .toEqual(results.slice(0, FIRST).map((member: Member) => rowOf(member, 'followers')));
    const field = page.getByRole('searchbox', { name: 'Filter by name' });
    expect(await field.inputValue()).toBe('e');
    await field.press('Escape');
    const members = await ranked('sort=followers');
    await expect.poll(() => rowsOn(page)).toEqual(members.map((member) => rowOf(member, 'followers')));
  });

  it('says that no account matches a filter', async () => {
    const page = await explorer().open('/leaderboard?term=zzzzzz');
    await panelOf(page, 'Accounts').getByText('No account matches.').waitFor();
  });

  it('shows the numbers of the whole graph', async () => {
    const { stats } = await explorer().ask('/stats');
    const page = await explorer().open('/leaderboard');
    const text = () => panelOf(page, 'The whole graph').locator('dl').textContent();
    const format = new Intl.NumberFormat('en').format;
    await expect.poll(text).toContain(`Accounts in lists${format(Number(stats.address_count))}`);
    await expect.poll(text).toContain(`Lists${format(Number(stats.list_count))}`);
    await expect.poll(text).toMatch(/^Follows[\d,]+Accounts/);
  });
});
