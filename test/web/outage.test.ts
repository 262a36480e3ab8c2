import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { isDeep } from '../support/effort.ts';
import { accountsIn, panelOf, rowsOf, searchField, textOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const OUTAGES = {
  'a network that is down': (route: Route) => route.abort(),
  'a service that answers 503': (route: Route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: 'urn:kith:problem:unavailable',
        title: 'Service Unavailable',
        status: 503,
        detail: 'the database does not answer',
        code: 'unavailable',
      }),
    }),
  'a proxy that answers with a page': (route: Route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
};
type OutageName = keyof typeof OUTAGES;

/** What pages say about data that is there but empty, which an outage does not tell. */
const EMPTY = /\b(no|nothing|nobody|none|not on|empty)\b/i;

/** Starts an outage of the paths that match. Returns a function that ends it. */
async function breakPaths(page: Page, paths: RegExp, outage: OutageName): Promise<() => void> {
  let isBroken = true;
  await page.route(paths, (route) => (isBroken ? OUTAGES[outage](route) : route.continue()));
  return () => {
    isBroken = false;
  };
}

const PANELS = {
  '/': ['The whole graph', 'Happening now', 'Most followed', 'Latest followed'],
  '/leaderboard': ['The whole graph', 'Accounts'],
  [`/account/${STAR.name}?with=${STAR.address}`]: [
    STAR.name,
    'About',
    'Badges',
    'Latest followers',
    'Common followers',
  ],
  [`/account/${STAR.name}/followers`]: ['Followers'],
  [`/account/${STAR.name}/activity`]: ['Activity'],
  [`/account/${STAR.name}/graph`]: ['Neighbourhood'],
};
// Which outage it is decides the message alone, so that a quick run tries one on each page, and each one.
const cases = Object.entries(PANELS).flatMap(([path, panels], page) =>
  (Object.keys(OUTAGES) as OutageName[])
    .filter((_outage, index) => isDeep || index === page % 3)
    .map((outage) => ({ outage, path, panels })),
);

describe('during an outage, the explorer', () => {
  const explorer = useExplorer();

  it.each(cases)('says so in each panel of $path with $outage, and recovers without a reload', async (given) => {
    const { outage, path, panels } = given;
    let end = () => {};
    const page = await explorer().open(path, {
      // Without its details, an account has no panels.
      prepare: async (opened) => {
        end = await breakPaths(opened, /\/api\/v1\/(?!users\/[^/]+\/details)/, outage);
      },
    });
    await page.evaluate('window.isFirst = true');
    for (const title of panels) {
      const alert = panelOf(page, title).getByRole('alert').first();
      await alert.waitFor();
      const message = await textOf(alert.getByRole('paragraph'));
      expect(message).toMatch(outage.includes('503') ? /^The database does not answer\.$/ : /^(No answer|Unexpected)/);
    }
    for (const title of panels) {
      const texts: string[] = await panelOf(page, title)
        .locator('p:not([role=alert] *), dd')
        .evaluateAll((parts) => parts.filter((part) => part.checkVisibility()).map(({ textContent }) => textContent));
      expect(texts.filter((text) => EMPTY.test(text))).toEqual([]);
    }

    end();
    await expect
      .poll(async () => {
        for (const button of await page.getByRole('button', { name: 'Try again' }).all())
          await button.click({ timeout: 1000 }).catch(() => undefined);
        return page.getByRole('main').getByRole('alert').count();
      })
      .toBe(0);
    for (const title of panels) await panelOf(page, title).locator('a[href^="/"], dd, canvas, li').first().waitFor();
    expect(await page.evaluate('window.isFirst')).toBe(true);
  });

  it.each(Object.keys(OUTAGES) as OutageName[])(
    'keeps an account apart from an unknown one with %s',
    async (outage) => {
      let end = () => {};
      const page = await explorer().open(`/account/${STAR.name}`, {
        prepare: async (opened) => {
          end = await breakPaths(opened, /\/api\/v1\//, outage);
        },
      });
      await page.getByRole('heading', { level: 1, name: STAR.name }).waitFor();
      await page.getByRole('alert').getByRole('button', { name: 'Try again' }).first().waitFor();
      end();
      await page.getByText(STAR.address, { exact: true }).waitFor();
    },
  );

  it('keeps the rows that it has if the next page fails, and goes on where it stopped', async () => {
    let end = () => {};
    const page = await explorer().open(`/account/${STAR.name}/followers`, {
      prepare: async (opened) => {
        end = await breakPaths(opened, /\/followers\?.*cursor=/, 'a network that is down');
      },
    });
    const rows = rowsOf(page, 'Followers');
    await rows.last().scrollIntoViewIfNeeded();
    const panel = panelOf(page, 'Followers');
    await panel.getByRole('alert').waitFor();
    expect(await rows.count()).toBe(50);
    end();
    await expect.poll(() => rows.count()).toBeGreaterThan(50);
    const accounts = await accountsIn(rows);
    expect(new Set(accounts).size).toBe(accounts.length);
  });

  it.each([
    ['the browser is online', `dispatchEvent(new Event('online'))`],
    ['the page is visible', `document.dispatchEvent(new Event('visibilitychange'))`],
  ])('tries again as soon as %s again', async (_when, event) => {
    let end = () => {};
    const page = await explorer().open(`/account/${STAR.name}/followers`, {
      prepare: async (opened) => {
        await opened.clock.install();
        end = await breakPaths(opened, /\/users\/[^/]+\/followers/, 'a network that is down');
      },
    });
    // The clock stands still, so that no interval ends.
    await panelOf(page, 'Followers').getByRole('alert').waitFor();
    end();
    await page.evaluate(event);
    await rowsOf(page, 'Followers').first().waitFor();
  });

  it('says that the search failed, and searches again while one types on', async () => {
    const page = await explorer().open('/');
    const end = await breakPaths(page, /\/leaderboard\/search/, 'a service that answers 503');
    await searchField(page).fill('ad');
    await expect
      .poll(() => textOf(page.getByRole('search').getByRole('alert')))
      .toBe('The search failed: The database does not answer. Typing on tries again.');
    end();
    await searchField(page).pressSequentially('a');
    await page.getByRole('listbox', { name: 'Results' }).getByRole('option').first().waitFor();
  });

  it('says that the status is not available, and shows it later', async () => {
    let end = () => {};
    const page = await explorer().open('/network', {
      prepare: async (opened) => {
        end = await breakPaths(opened, /\/status$/, 'a service that answers 503');
      },
    });
    await page.getByRole('contentinfo').getByText('status not available').waitFor();
    const alert = page.getByRole('main').getByRole('alert');
    await alert.waitFor();
    end();
    await panelOf(page, 'Service').getByText('SQLite').waitFor();
    await alert.waitFor({ state: 'detached' });
  });

  it('draws the neighbourhood after its code could not be loaded at first', async () => {
    let end = () => {};
    const page = await explorer().open(`/account/${STAR.name}/graph`, {
      prepare: async (opened) => {
        end = await breakPaths(opened, /\/assets\/neighbourhood/, 'a network that is down');
      },
    });
    const panel = panelOf(page, 'Neighbourhood');
    await panel.getByText('The code of this part could not be loaded.').waitFor();
    end();
    await panel.getByRole('button', { name: 'Try again' }).click();
    await panel.getByRole('application').waitFor();
  });
});
