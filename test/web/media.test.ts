import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { panelOf, rowsOf, scrollToEnd } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const FOLLOWERS = `/account/${STAR.name}/followers`;

const styleOf = (part: Locator, property: string, pseudo = ''): Promise<string> =>
  part.evaluate(
    (element, [name, of]) => element.ownerDocument.defaultView.getComputedStyle(element, of).getPropertyValue(name),
    [property, pseudo] as const,
  );

/** A colour of the operating system, as the browser computes it. */
const systemColour = (page: Page, name: string): Promise<string> =>
  page.evaluate(
    `(() => {
      const probe = document.body.appendChild(document.createElement('p'));
      probe.style.cssText = 'forced-color-adjust: none; color: ${name}';
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    })()`,
  );

describe('with forced colours, the explorer', () => {
  const explorer = useExplorer();
  const open = (path: string) => explorer().open(path, { forcedColors: 'active' });

  it('shows the tab that is open, the order, the tags and the state of the switch', async () => {
    const page = await open(`${FOLLOWERS}?tags=top8`);
    const highlight = await systemColour(page, 'Highlight');
    const canvas = await systemColour(page, 'Canvas');
    expect(highlight).not.toBe(canvas);
    const panel = panelOf(page, 'Followers');
    const state = async () => ({
      tab: await styleOf(page.locator('.tabs [aria-current]'), 'border-bottom-color'),
      otherTab: await styleOf(page.locator('.tabs a:not([aria-current])').first(), 'border-bottom-color'),
      order: await styleOf(panel.getByRole('button', { name: 'Latest' }), 'background-color'),
      otherOrder: await styleOf(panel.getByRole('button', { name: 'Earliest' }), 'background-color'),
      tag: await styleOf(panel.getByRole('button', { name: 'top8' }), 'background-color'),
      toggle: await styleOf(panel.getByRole('switch'), 'background-color'),
    });
    await panel.getByRole('button', { name: 'top8' }).waitFor();
    const off = await state();
    expect(off).toEqual({
      tab: highlight,
      otherTab: canvas,
      order: highlight,
      otherOrder: expect.not.stringContaining(highlight),
      tag: highlight,
      toggle: canvas,
    });
    await panel.getByRole('switch').check();
    expect((await state()).toggle).toBe(highlight);
  });

  it('shows the column that the leaderboard is sorted by', async () => {
    const page = await open('/leaderboard?sort=following');
    const highlight = await systemColour(page, 'Highlight');
    const headers = page.getByRole('columnheader');
    const colours = await Promise.all((await headers.all()).map((header) => styleOf(header, 'border-bottom-color')));
    const sorted = await headers.evaluateAll((all) => all.findIndex((header) => header.ariaSort === 'descending'));
    expect(colours.map((colour) => colour === highlight)).toEqual(colours.map((_colour, index) => index === sorted));
  });
});

describe('on paper, the explorer', () => {
  const explorer = useExplorer();

  it('has all rows that were loaded and no controls, in light colours', async () => {
    const page = await explorer().open(FOLLOWERS, { colorScheme: 'dark' });
    await scrollToEnd(rowsOf(page, 'Followers'), page.getByText(/^The end: /));
    const count = await rowsOf(page, 'Followers').count();
    await page.emulateMedia({ media: 'print' });
    const main = page.getByRole('main');
    expect(await main.locator('button, input, select, nav').filter({ visible: true }).count()).toBe(0);
    expect(await page.locator('header button, header input').filter({ visible: true }).count()).toBe(0);
    expect(await main.locator('.edges .rows > li').filter({ visible: true }).count()).toBe(count);
    expect(await styleOf(page.locator('.edges .rows > li').last(), 'content-visibility')).toBe('visible');
    expect(await styleOf(page.locator('body'), 'background-color')).toBe('rgb(255, 255, 255)');
    expect(await styleOf(page.locator('body'), 'color')).toBe('rgb(29, 31, 35)');
    expect((await page.pdf()).length).toBeGreaterThan(0);
  });

  it('says that a list goes on, and where links to other sites lead', async () => {
    const page = await explorer().open('/leaderboard', { viewport: { width: 1300, height: 300 } });
    await page.getByRole('row').nth(1).waitFor();
    await page.emulateMedia({ media: 'print' });
    const textAfter = (part: Locator) => styleOf(part, 'content', '::after');
    expect(await textAfter(page.locator('.ranks'))).toBe('"More follow: only what was loaded is printed."');
    await page.emulateMedia({ media: 'screen' });
    expect(await textAfter(page.locator('.ranks'))).toBe('none');
    await page.goto(`${explorer().service.url}/account/${STAR.name}`);
    const link = panelOf(page, 'About').locator('a[href^="http"]').first();
    await link.waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await textAfter(link)).toContain((await link.getAttribute('href')) ?? 'no URL');
    expect(await styleOf(link.locator('xpath=..'), 'text-wrap-mode')).toBe('wrap');
  });
});
