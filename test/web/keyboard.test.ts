import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { accountsIn, rowsOf, searchField } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const MAX_STEPS = 200;

const isFocused = (part: Locator): Promise<boolean> => part.evaluate((element) => element.matches(':focus'));

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, part: Locator): Promise<void> {
  await part.waitFor();
  for (let step = 0; step < MAX_STEPS; step++) {
    await page.keyboard.press('Tab');
    if (await isFocused(part)) return;
  }
  throw new Error(`${MAX_STEPS} presses of Tab did not lead to ${part}`);
}

describe('with the keyboard alone, one', () => {
  const explorer = useExplorer();

  it('gets from the start page to an account, its tabs and the page of a follower', async () => {
    const page = await explorer().open('/');
    await searchField(page).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(STAR.name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: STAR.name }).waitFor();
    await expect.poll(() => isFocused(page.getByRole('main'))).toBe(true);

    const tabs = page.getByRole('navigation', { name: 'Account' });
    await tabTo(page, tabs.getByRole('link', { name: 'Followers' }));
    await page.keyboard.press('Enter');
    await rowsOf(page, 'Followers').first().waitFor();
    await expect.poll(() => isFocused(page.getByRole('main'))).toBe(true);

    const row = rowsOf(page, 'Followers').first();
    await tabTo(page, row.getByRole('link'));
    const [follower = ''] = await accountsIn(row);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: follower }).waitFor();
  });

  it('skips the navigation with the first link of a page', async () => {
    const page = await explorer().open('/leaderboard');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await skip.waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    expect(await isFocused(skip)).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => isFocused(page.getByRole('main'))).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/leaderboard');
  });

  it('sorts the leaderboard', async () => {
    const page = await explorer().open('/leaderboard');
    const header = page.getByRole('columnheader', { name: 'Followers' });
    await tabTo(page, header.getByRole('button'));
    await page.keyboard.press('Enter');
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
    await page.keyboard.press('Enter');
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
  });

  it.each(['/', '/leaderboard', `/account/${STAR.name}`])(
    'sees the shortcuts after the key ? on %s, and is back where one was after Escape',
    async (path) => {
      const page = await explorer().open(path);
      const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Network' });
      await link.focus();
      const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await page.keyboard.press('?');
      await help.getByText('Show the whole picture').waitFor();
      expect(await help.evaluate((dialog) => dialog.matches(':focus-within'))).toBe(true);
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'hidden' });
      expect(await isFocused(link)).toBe(true);
    },
  );

  it('opens the shortcuts with a button too, and types ? into fields', async () => {
    const page = await explorer().open('/network');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await searchField(page).pressSequentially('a?');
    expect(await searchField(page).inputValue()).toBe('a?');
    expect(await help.isVisible()).toBe(false);
    await searchField(page).fill('');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await help.waitFor();
    await help.getByRole('button', { name: 'Close' }).click();
    await help.waitFor({ state: 'hidden' });
  });

  it('sees where the focus is', async () => {
    const page = await explorer().open(`/account/${STAR.name}/followers`);
    await rowsOf(page, 'Followers').first().waitFor();
    const hidden: string[] = [];
    for (let step = 0; step < 25; step++) {
      await page.keyboard.press('Tab');
      const description = await page.evaluate(`(() => {
        const element = document.activeElement;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
        const isMarked = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
        const parent = getComputedStyle(element.parentElement);
        return isMarked || parent.outlineStyle !== 'none' || parent.boxShadow !== 'none' ? '' : element.outerHTML.slice(0, 120);
      })()`);
      if (description) hidden.push(String(description));
    }
    expect(hidden).toEqual([]);
  });
});
