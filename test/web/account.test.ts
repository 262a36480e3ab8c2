import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { accountsIn, ambiguousLinksOn, nameOf, panelOf, rowsOf, textOf, textsOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const BY_NAME = `/account/${STAR.name}`;
const NOBODY = '/account/0x00000000000000000000000000000000000000ff';

const tabsOn = (page: Page) => page.getByRole('navigation', { name: 'Account' }).getByRole('link');

/** Terms and values of the numbers in the header, on one line each. */
async function numbersOn(page: Page): Promise<string[]> {
  const header = panelOf(page, STAR.name);
  await header.getByText('as of').waitFor();
  await expect.poll(() => header.getByRole('status', { name: 'Loading' }).count()).toBe(0);
  return textsOf(header.locator('dl > div').filter({ hasText: /Rank|no rank/ }));
}

describe('the page of an account', () => {
  const explorer = useExplorer();

  it.each([
    ['name', BY_NAME],
    ['address', `/account/${STAR.address}`],
    ['address in upper case', `/account/0x${STAR.address.slice(2).toUpperCase()}`],
  ])('shows name, address and records of the account by %s', async (_kind, path) => {
    const { ens } = await explorer().ask(`/users/${STAR.address}/details`);
    const page = await explorer().open(path);
    const header = panelOf(page, STAR.name);
    await header.getByText(STAR.address, { exact: true }).waitFor();
    const about = panelOf(page, 'About');
    await about.getByText(ens.records.description).waitFor();
    const text = `${await textOf(header)} ${await textOf(about)}`;
    for (const record of ['name', 'location', 'com.github']) expect(text).toContain(ens.records[record]);
    expect(await page.title()).toBe(`${STAR.name} · Kith`);
    const website = about.getByRole('link', { name: new URL(ens.records.url).host });
    expect(await website.getAttribute('href')).toBe(new URL(ens.records.url).href);
    expect((await website.getAttribute('rel'))?.split(' ')).toEqual(expect.arrayContaining(['noopener', 'nofollow']));
  });

  it('shows the counts and ranks of the API', async () => {
    const { ranks } = await explorer().ask(`/users/${STAR.address}/details`);
    const { followers_count, following_count } = await explorer().ask(`/users/${STAR.address}/stats`);
    const { results } = await explorer().ask('/leaderboard/ranked?limit=1000');
    const member = results.find(({ address }: { address: string }) => address === STAR.address);
    const page = await explorer().open(BY_NAME);
    expect(await numbersOn(page)).toEqual([
      `Followers ${followers_count} Rank #${ranks.followers_rank}`,
      `Following ${following_count} Rank #${ranks.following_rank}`,
      `Mutuals ${member.mutuals} Rank #${ranks.mutuals_rank}`,
      `In top 8 of ${member.top8} Rank #${ranks.top8_rank}`,
      `Blocked by ${member.blocks} ${member.blocks === '0' ? '– no rank' : `Rank #${ranks.blocks_rank}`}`,
    ]);
  });

  it.each(['', '/followers', '/following', '/mutuals', '/activity', '/graph'])(
    'needs at most 15 requests for the tab "%s"',
    async (tab) => {
      const urls: string[] = [];
      const page = await explorer().open(BY_NAME + tab, {
        prepare: async (opened) =>
          opened.on('request', (request) => request.resourceType() !== 'image' && urls.push(request.url())),
      });
      await numbersOn(page);
      await page.waitForLoadState('networkidle');
      expect(urls.length).toBeLessThanOrEqual(15);
      expect(urls.filter((url) => url.includes('/api/')).length).toBeGreaterThan(2);
    },
  );

  it('shows the name or address of the URL, the tabs and placeholders until the profile arrives', async () => {
    for (const [path, title] of [
      [BY_NAME, STAR.name],
      [`/account/${STAR.address}`, STAR.address],
    ] as const) {
      let answer = () => {};
      const held = new Promise<void>((resolve) => (answer = resolve));
      const page = await explorer().open(path, {
        prepare: (opened) => opened.route(/\/details$/, (route) => held.then(() => route.continue())),
      });
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(await tabsOn(page).count()).toBe(6);
      await panelOf(page, 'About').getByRole('status', { name: 'Loading' }).waitFor();
      answer();
      await panelOf(page, STAR.name).getByText(STAR.address, { exact: true }).waitFor();
    }
  });

  it('has tabs with URLs and titles of their own', async () => {
    const page = await explorer().open(BY_NAME);
    for (const [label, panel] of [
      ['Followers', 'Followers'],
      ['Following', 'Following'],
      ['Mutuals', 'Mutuals'],
      ['Activity', 'Activity'],
      ['Graph', 'Neighbourhood'],
    ] as const) {
      await tabsOn(page).filter({ hasText: label }).click();
      await panelOf(page, panel).waitFor();
      expect(new URL(page.url()).pathname).toBe(`${BY_NAME}/${label.toLowerCase()}`);
      await expect.poll(() => page.title()).toBe(`${STAR.name}: ${label} · Kith`);
      expect(await textsOf(page.getByRole('navigation').locator('[aria-current=page]'))).toEqual([label]);
    }
    await page.reload();
    await panelOf(page, 'Neighbourhood').waitFor();
    await tabsOn(page).filter({ hasText: 'Overview' }).click();
    await panelOf(page, 'About').waitFor();
    expect(new URL(page.url()).pathname).toBe(BY_NAME);
  });

  it('leads from its counts to what they count', async () => {
    const { followers_count } = await explorer().ask(`/users/${STAR.address}/stats`);
    const page = await explorer().open(BY_NAME, { viewport: { width: 390, height: 800 } });
    await page.getByRole('link', { name: `Followers: ${followers_count}` }).click();
    await rowsOf(page, 'Followers').first().waitFor();
    const { followers } = await explorer().ask(`/users/${STAR.address}/followers?tags=top8&limit=1000`);
    await page.goBack();
    await page.getByRole('link', { name: 'In top 8 of' }).click();
    await expect.poll(() => rowsOf(page, 'Followers').count()).toBe(followers.length);
    const { mutuals } = await explorer().ask(`/users/${STAR.address}/mutuals?limit=1000`);
    await page.getByRole('link', { name: `Mutuals: ${mutuals.length}` }).click();
    await page.getByText(`The end: ${mutuals.length} shown.`).waitFor();
  });

  it('gives no place of honour to an account that many block, and no rank to a count of zero', async () => {
    const { results } = await explorer().ask('/leaderboard/ranked?sort=blocks&limit=1000');
    const [most] = results;
    expect(most.blocks_rank).toBe('1');
    const page = await explorer().open(`/account/${most.address}`);
    const rankOf = (label: string) => page.locator('dl > div').filter({ hasText: label }).locator('.rank-line');
    await expect.poll(() => textOf(rankOf('Blocked by'))).toBe('Rank #1');
    expect(await rankOf('Blocked by').locator('[data-rank]').count()).toBe(0);
    const none = results.findLast(({ blocks }: { blocks: string }) => blocks === '0');
    await page.goto(`${explorer().service.url}/account/${none.address}`);
    await page.getByRole('link', { name: 'Blocked by: 0' }).waitFor();
    expect(await textOf(rankOf('Blocked by'))).toBe('– no rank');
  });

  it.each(['Followers', 'Following', 'Mutuals'])('says the number of %s in their tab on a phone', async (label) => {
    const page = await explorer().open(`${BY_NAME}/${label.toLowerCase()}`, { viewport: { width: 390, height: 844 } });
    const number = panelOf(page, STAR.name).getByRole('link', { name: new RegExp(`^${label}: \\d+$`) });
    await number.waitFor();
    await page
      .getByText(/^The end: /)
      .or(rowsOf(page, label).nth(40))
      .first()
      .waitFor();
    expect(Number(await textOf(number))).toBeGreaterThan(0);
  });

  it.each(['Followers', 'Following'])('shows the first row of %s on the first screen of a phone', async (tab) => {
    const page = await explorer().open(BY_NAME, { viewport: { width: 390, height: 844 } });
    await tabsOn(page).filter({ hasText: tab }).click();
    // Above it, they would move it down later.
    await panelOf(page, tab).getByRole('group', { name: 'Tags' }).waitFor();
    const row = rowsOf(page, tab).first();
    await row.waitFor();
    const box = await row.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0) + ((await page.evaluate('scrollY')) as number)).toBeLessThan(844);
  });

  it('shows who has followed it lately and still does, whatever else others did to their records', async () => {
    const { followers } = await explorer().ask(`/users/${STAR.address}/followers?limit=1000`);
    const current = new Set(followers.map(({ address }: { address: string }) => address));
    const { notifications } = await explorer().ask(
      `/users/${STAR.address}/notifications?opcode=1&interval=all&limit=1000`,
    );
    const follows: { address: string; name: string }[] = notifications.filter(
      ({ address }: { address: string }, index: number) =>
        current.has(address) &&
        notifications.findIndex((first: { address: string }) => first.address === address) === index,
    );
    // The newest change of a record is no follow.
    expect(follows[0]?.address).not.toBe(followers[0].address);
    const page = await explorer().open(BY_NAME);
    await expect.poll(() => accountsIn(rowsOf(page, 'Latest followers'))).toEqual(follows.slice(0, 6).map(nameOf));
  });

  it('shows the badges that the account holds, and no others', async () => {
    const { poaps } = await explorer().ask(`/users/${STAR.name}/badges`);
    const held = poaps.filter(({ participated }: { participated: boolean }) => participated);
    expect(held.length).toBeGreaterThan(0);
    expect(held.length).toBeLessThan(poaps.length);
    const page = await explorer().open(BY_NAME);
    const badges = panelOf(page, 'Badges').getByRole('listitem');
    await expect.poll(() => badges.count()).toBe(held.length);
    for (const [index, { collection }] of held.entries()) {
      expect(await textOf(badges.nth(index))).toContain(collection.event.name);
    }
    const [{ collection }] = held;
    await badges.getByText(collection.event.name).click();
    await badges.getByText(collection.event.description).waitFor();
    const link = badges.getByRole('link', { name: `Event page of ${collection.event.name}` });
    expect(await link.getAttribute('href')).toBe(collection.event.event_url);
  });

  it.each(['', '/followers', '/activity'])(
    'has no two links of the same name to different places on "%s"',
    async (tab) => {
      const page = await explorer().open(BY_NAME + tab);
      await numbersOn(page);
      await page.waitForLoadState('networkidle');
      expect(await ambiguousLinksOn(page)).toEqual([]);
    },
  );

  it('copies the address', async () => {
    const page = await explorer().open(BY_NAME, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copy address' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(STAR.address);
  });

  it('says that the address was not copied if the browser forbids it', async () => {
    const page = await explorer().open(BY_NAME, {
      prepare: (opened) =>
        opened.addInitScript('navigator.clipboard.writeText = () => Promise.reject(new Error("forbidden"))'),
    });
    await page.getByRole('button', { name: 'Copy address' }).click();
    await page.getByRole('button', { name: 'Not copied' }).waitFor();
  });

  it('shows the pictures of the account as soon as they have loaded, and generated ones without them', async () => {
    const { ens } = await explorer().ask(`/users/${STAR.address}/details`);
    // The page loads pictures of the demo graph from where it was loaded itself.
    const [avatar, header] = [ens.avatar, ens.header].map((url) => new URL(url).pathname);
    const loaded = (page: Page, path: string) => panelOf(page, STAR.name).locator(`img[src="${path}"]:not(.pending)`);
    const generated = (page: Page) => panelOf(page, STAR.name).locator('.picture > svg');
    const without = await explorer().open(BY_NAME, {
      prepare: (opened) => opened.route('**/demo/**', (route) => route.abort()),
    });
    await panelOf(without, STAR.name).locator(`img[src="${header}"]`).waitFor({ state: 'attached' });
    expect(await generated(without).count()).toBe(2);
    const page = await explorer().open(BY_NAME);
    for (const path of [avatar, header]) await loaded(page, `${path}`).waitFor();
    expect(await generated(page).count()).toBe(0);
  });

  it('says in one sentence that an address has no followers and follows nobody, and keeps its tabs', async () => {
    const page = await explorer().open(NOBODY);
    await page.getByText('Nobody follows this account, and it follows nobody.').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'leaderboard' }).waitFor();
    expect(await textsOf(page.getByRole('main').getByRole('heading', { level: 2 }))).toEqual(['About']);
    await tabsOn(page).filter({ hasText: 'Followers' }).click();
    await panelOf(page, 'Followers').getByText('No followers yet.').waitFor();
    for (const tab of ['Activity', 'Graph']) {
      await tabsOn(page).filter({ hasText: tab }).click();
      await page.locator('.tabs [aria-current]', { hasText: tab }).waitFor();
      await page.getByText('Nobody follows this account, and it follows nobody.').waitFor();
      await page.getByRole('main').getByRole('link', { name: 'leaderboard' }).waitFor();
      expect(await page.getByRole('main').getByRole('heading', { level: 2 }).count()).toBe(0);
    }
  });
});
