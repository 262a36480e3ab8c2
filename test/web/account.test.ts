import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { panelOf, textOf, textsOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const BY_NAME = `/account/${STAR.name}`;

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
    ['list', `/list/${STAR.list}`],
  ])('shows name, address and records of the account by %s', async (_kind, path) => {
    const { ens } = await explorer().ask(`/users/${STAR.address}/details`);
    const page = await explorer().open(path);
    const header = panelOf(page, STAR.name);
    await header.getByText(STAR.address, { exact: true }).waitFor();
    const text = await textOf(header);
    for (const record of ['name', 'description', 'location', 'com.github']) expect(text).toContain(ens.records[record]);
    expect(await page.title()).toBe(`${STAR.name} · Kith`);
    const website = header.getByRole('link', { name: new URL(ens.records.url).host });
    expect(await website.getAttribute('href')).toBe(new URL(ens.records.url).href);
    expect((await website.getAttribute('rel'))?.split(' ')).toEqual(expect.arrayContaining(['noopener', 'nofollow']));
  });

  it.each([
    ['account', BY_NAME],
    ['list', `/list/${STAR.list}`],
  ])('shows the counts and ranks of the API by %s', async (_kind, path) => {
    const { ranks } = await explorer().ask(`/users/${STAR.address}/details`);
    const { followers_count, following_count } = await explorer().ask(`/users/${STAR.address}/stats`);
    const { results } = await explorer().ask('/leaderboard/ranked?limit=1000');
    const member = results.find(({ address }: { address: string }) => address === STAR.address);
    const page = await explorer().open(path);
    expect(await numbersOn(page)).toEqual([
      `Followers ${followers_count} Rank #${ranks.followers_rank}`,
      `Following ${following_count} Rank #${ranks.following_rank}`,
      `Mutuals ${member.mutuals} Rank #${ranks.mutuals_rank}`,
      `Top 8 ${member.top8} Rank #${ranks.top8_rank}`,
      `Blocked by ${member.blocks} Rank #${ranks.blocks_rank}`,
    ]);
  });

  it('requests the counts once for the header and the connections', async () => {
    const urls: string[] = [];
    const prepare = async (page: Page) => page.on('request', (request) => urls.push(request.url()));
    await numbersOn(await explorer().open(BY_NAME, { prepare }));
    expect(urls.filter((url) => url.endsWith('/stats'))).toHaveLength(1);
  });

  it('shows the badges that the account holds, and those that it does not', async () => {
    const { poaps } = await explorer().ask(`/users/${STAR.name}/badges`);
    const isHeld = poaps.map(({ participated }: { participated: boolean }) => participated);
    expect(new Set(isHeld).size).toBe(2);
    const page = await explorer().open(BY_NAME);
    const badges = panelOf(page, 'Badges').getByRole('listitem');
    await expect.poll(() => badges.count()).toBe(poaps.length);
    for (const [index, { participated, eventId, collection }] of poaps.entries()) {
      const text = await textOf(badges.nth(index));
      if (participated) expect(text).toContain(collection.event.name);
      else expect(text).toBe(`Event ${eventId} Not held`);
    }
    const [first] = poaps.filter(({ participated }: { participated: boolean }) => participated);
    await badges.getByText(first.collection.event.name).click();
    await badges.getByText(first.collection.event.description).waitFor();
    const link = badges.getByRole('link', { name: 'Event page' });
    expect(await link.getAttribute('href')).toBe(first.collection.event.event_url);
  });

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
    const header = (page: Page) => panelOf(page, STAR.name);
    const without = await explorer().open(BY_NAME);
    await header(without).waitFor();
    expect(await header(without).locator('img:not(.pending)').count()).toBe(0);
    const generated = await header(without).locator('svg').count();
    const page = await explorer().open(BY_NAME, {
      prepare: (opened) => opened.route(/^https:/, (route) => route.fulfill({ body: PIXEL, contentType: 'image/gif' })),
    });
    for (const url of [ens.avatar, ens.header]) await header(page).locator(`img[src="${url}"]:not(.pending)`).waitFor();
    expect(await header(page).locator('svg').count()).toBe(generated - 2);
  });

  it('shows a list that is not primary with the following of its own slot, and says so', async () => {
    const { results } = await explorer().ask('/leaderboard/ranked?limit=1000');
    const { address, other } = await findOtherList(results);
    const stats = await explorer().ask(`/lists/${other}/stats`);
    const page = await explorer().open(`/list/${other}`);
    await page.getByText(`List #${other} is not the primary list of this account`).waitFor();
    await page.getByText(address, { exact: true }).waitFor();
    const current = page.getByRole('link', { name: /^List #/ }).and(page.locator('[aria-current=page]'));
    await expect.poll(() => textOf(current)).toBe(`List #${other}`);
    const tab = page.getByRole('tab', { name: 'Following' });
    await expect.poll(() => textOf(tab)).toBe(`Following ${stats.following_count}`);
  });

  async function findOtherList(members: readonly { address: string }[]): Promise<{ address: string; other: string }> {
    for (const { address } of members) {
      const { primary_list, lists } = await explorer().ask(`/users/${address}/lists`);
      const other = lists.find((list: string) => list !== primary_list);
      if (other !== undefined) return { address, other };
    }
    throw new Error('no account of the demo graph has a second list');
  }

  it('says that an account without ranks is not on the leaderboard', async () => {
    const page = await explorer().open('/account/0x00000000000000000000000000000000000000ff');
    await page.getByText('Not on the leaderboard, so without ranks.').waitFor();
    await page.getByText('No followers yet.').waitFor();
    const followers = page.locator('dl > div').filter({ hasText: 'Followers' });
    expect(await textOf(followers)).toMatch(/^Followers 0 .*no rank$/);
  });

  it('leads from the list of the account to its page, where the same account is shown', async () => {
    const page = await explorer().open(BY_NAME);
    await page.getByRole('link', { name: `List #${STAR.list}` }).click();
    await page.waitForURL(`**/list/${STAR.list}`);
    await panelOf(page, STAR.name).getByText(STAR.address, { exact: true }).waitFor();
  });
});
