import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { accountsIn, panelOf, rowsOf, scrollToEnd } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const scrollOf = (page: Page): Promise<number> => page.evaluate('Math.round(scrollY)');

describe('back and forward in the explorer', () => {
  const explorer = useExplorer();

  it('restore account, loaded rows and scroll position', async () => {
    const page = await explorer().open(`/account/${STAR.name}/followers`);
    await scrollToEnd(rowsOf(page, 'Followers'), page.getByText(/^The end: /));
    const rows = await accountsIn(rowsOf(page, 'Followers'));
    const link = rowsOf(page, 'Followers')
      .nth(rows.length - 20)
      .getByRole('link');
    await link.scrollIntoViewIfNeeded();
    const scroll = await scrollOf(page);
    expect(scroll).toBeGreaterThan(2000);
    await link.click();
    const next = rows.at(-20) ?? '';
    await page.getByRole('heading', { level: 1, name: next }).waitFor();
    await expect.poll(() => scrollOf(page)).toBe(0);

    await page.goBack();
    await page.getByRole('heading', { level: 1, name: STAR.name }).waitFor();
    expect(await accountsIn(rowsOf(page, 'Followers'))).toEqual(rows);
    await expect.poll(() => scrollOf(page)).toBe(scroll);

    await page.goForward();
    await page.getByRole('heading', { level: 1, name: next }).waitFor();
    await expect.poll(() => scrollOf(page)).toBe(0);
  });

  it('restore the rows and the scroll position of the leaderboard', async () => {
    const page = await explorer().open('/leaderboard?sort=followers');
    await scrollToEnd(page.getByRole('row'), page.getByText(/^All .* accounts are shown\.$/));
    const rows = await accountsIn(page.getByRole('table'));
    const link = page.getByRole('row').nth(200).getByRole('link');
    await link.scrollIntoViewIfNeeded();
    const scroll = await scrollOf(page);
    await link.click();
    await panelOf(page, 'About').waitFor();
    await page.goBack();
    await expect.poll(() => accountsIn(page.getByRole('table'))).toEqual(rows);
    await expect.poll(() => scrollOf(page)).toBe(scroll);
  });

  it('lead through the accounts that were visited, in both directions', async () => {
    const page = await explorer().open(`/account/${STAR.name}`);
    const visited = [STAR.name];
    for (let step = 0; step < 2; step++) {
      await rowsOf(page, 'Latest followers').first().waitFor();
      const rows = await accountsIn(rowsOf(page, 'Latest followers'));
      const next = rows.find((row) => !visited.includes(row)) ?? '';
      await rowsOf(page, 'Latest followers').nth(rows.indexOf(next)).getByRole('link').click();
      await page.getByRole('heading', { level: 1, name: next }).waitFor();
      visited.push(next);
    }
    for (const name of [visited[1], visited[0]]) {
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: name ?? '' }).waitFor();
      await expect.poll(() => page.title()).toBe(`${name} · Kith`);
    }
    for (const name of visited.slice(1)) {
      await page.goForward();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    }
  });

  it('restore the filters of the connections', async () => {
    const page = await explorer().open(`/account/${STAR.name}/following`);
    await page.getByRole('button', { name: 'Earliest' }).click();
    await page.waitForURL(/sort=earliest/);
    await rowsOf(page, 'Following').first().waitFor();
    const rows = await accountsIn(rowsOf(page, 'Following'));
    await rowsOf(page, 'Following').first().getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: rows[0] ?? '' }).waitFor();
    await page.goBack();
    // The second page may have been loaded since the rows were read.
    await expect.poll(async () => (await accountsIn(rowsOf(page, 'Following'))).slice(0, rows.length)).toEqual(rows);
    expect(new URL(page.url()).search).toBe('?sort=earliest');
  });
});
