import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { sidewaysScrollOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const PAGES = [
  ['start page', '/'],
  ['page of an account', `/account/${STAR.name}`],
  ['followers of an account', `/account/${STAR.name}/followers`],
  ['mutuals of an account', `/account/${STAR.name}/mutuals`],
  ['activity around an account', `/account/${STAR.name}/activity`],
  ['activity of an account', `/account/${STAR.name}/activity?direction=done`],
  ['graph of an account, viewed as another one', `/account/${STAR.name}/graph?viewer=juniper.eth`],
  ['page of an account without followers', '/account/0x00000000000000000000000000000000000000ff'],
  ['page of a list', `/list/${STAR.list}`],
  ['leaderboard', '/leaderboard'],
  ['leaderboard, filtered by a name', '/leaderboard?term=co'],
  ['network page', '/network'],
  ['page of an unknown account', '/account/nobody-has-this-name.eth'],
  ['page for unknown paths', '/nowhere'],
  ['documentation', '/docs'],
] as const;
const WIDTHS = [320, 1300, 3840];
/** Of all rules, only that of contrast depends on the theme. */
const THEMES = [
  ['light', { resultTypes: ['violations'] }],
  ['dark', { resultTypes: ['violations'], runOnly: ['color-contrast'] }],
] as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Waits until nothing is loading. Some parts load when they are seen. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  const loading = page.locator('[aria-busy=true], [aria-label=Loading], progress');
  await expect
    .poll(async () => {
      await loading.evaluateAll((parts) => parts[0]?.scrollIntoView());
      return loading.count();
    })
    .toBe(0);
}

async function violationsOn(page: Page, options: object = {}): Promise<string[]> {
  const result = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as { violations: Violation[] };
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

const backgroundOf = (page: Page): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
const inkOf = (page: Page): Promise<string> => page.evaluate('getComputedStyle(document.body).color');

describe('the explorer', () => {
  const explorer = useExplorer();

  it.each(PAGES)(
    'shows the %s from 320 to 3840 px, with no horizontal scrolling and no finding of axe',
    async (_name, path) => {
      // The policy of the page forbids scripts of others, such as axe.
      const page = await explorer().open(path, { bypassCSP: true });
      await page.evaluate(axe.source);
      const found: string[] = [];
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 1000 });
        await settle(page);
        if ((await sidewaysScrollOf(page)) > 0) found.push(`${width} px: scrolls to the side`);
        for (const [colorScheme, rules] of THEMES) {
          await page.emulateMedia({ colorScheme });
          found.push(...(await violationsOn(page, rules)).map((text) => `${width} px, ${colorScheme}: ${text}`));
        }
      }
      expect(found).toEqual([]);
    },
  );

  it('has nothing in the list of shortcuts that axe finds', async () => {
    const page = await explorer().open('/network', { bypassCSP: true });
    await settle(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.evaluate(axe.source);
    expect(await violationsOn(page)).toEqual([]);
  });

  it('follows the colour scheme of the system', async () => {
    const page = await explorer().open('/', { colorScheme: 'light' });
    const light = [await backgroundOf(page), await inkOf(page)];
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = [await backgroundOf(page), await inkOf(page)];
    expect(dark[0]).not.toBe(light[0]);
    expect(dark[1]).not.toBe(light[1]);
  });

  it('keeps the theme that was chosen, against the system and after a reload', async () => {
    const page = await explorer().open('/', { colorScheme: 'light' });
    const light = await backgroundOf(page);
    await page.getByLabel('Theme').selectOption('Dark');
    await expect.poll(() => backgroundOf(page)).not.toBe(light);
    const dark = await backgroundOf(page);
    await page.reload();
    await page.getByLabel('Theme').waitFor();
    expect(await backgroundOf(page)).toBe(dark);
    await page.getByLabel('Theme').selectOption('System');
    await expect.poll(() => backgroundOf(page)).toBe(light);
  });
});
