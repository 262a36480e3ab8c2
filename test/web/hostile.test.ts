import type { Page } from 'playwright-core';
import { type Hex, keccak256, stringToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { NOW, STAR } from '../http/support.ts';
import {
  accountMetadata,
  type LogBody,
  listMetadata,
  locationBytes,
  placeLog,
  storageLocation,
  transfer,
  word,
} from '../model/encode-log.ts';
import { ZERO_ADDRESS } from '../model/mainnet.ts';
import { follow, slotOf, tag } from '../model/small-history.ts';
import { loadIntoDemo, loadProfiles, loadRanks } from '../support/load.ts';
import { panelOf, rowsOf, sidewaysScrollOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const MALLORY = '0x3a11000000000000000000000000000000000001';
const LONG_NAME = `${'a'.repeat(240)}.eth`;
const SCRIPT = '<script>window.hacked=1; alert(1)</script>';
const IMAGE = '<img src=x class="injected" onerror="window.hacked=1">';
const FRAME = '"><iframe class="injected" srcdoc="<script>parent.hacked=1</script>"></iframe>';
const JAVASCRIPT = 'javascript:void(window.hacked=1)';
const DATA = 'data:text/html,<script>parent.hacked=1</script>';
/** Shows the text after it from right to left. */
const OVERRIDE = '\u202Emoc.knab\u2066';
const TAGS = [IMAGE, SCRIPT, OVERRIDE, 'x'.repeat(255), '🔥'.repeat(60), 'a,b', ' '];

const PROFILE = {
  address: MALLORY,
  fresh: NOW * 1000,
  name: LONG_NAME,
  avatar: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="parent.hacked=1"/>',
  header: JAVASCRIPT,
  display: SCRIPT,
  records: {
    name: `${OVERRIDE}${IMAGE}`,
    description: `${IMAGE}${SCRIPT}${'long '.repeat(1_000)}${'w'.repeat(5_000)}`,
    location: FRAME,
    url: JAVASCRIPT,
    email: `${JAVASCRIPT}?subject=${SCRIPT}`,
    'com.github': `../../${IMAGE}`,
    'com.twitter': JAVASCRIPT,
    'com.x': DATA,
    'com.discord': IMAGE,
    'org.telegram': `https://t.me/${SCRIPT}`,
    'com.farcaster': `https://farcaster.xyz/"onclick="window.hacked=1`,
    'app.bsky': '//evil.example/@name',
    avatar: IMAGE,
    header: DATA,
    [IMAGE]: SCRIPT,
    __proto__: SCRIPT,
    constructor: IMAGE,
    toString: FRAME,
  },
  chains: { eth: MALLORY, btc: SCRIPT, [IMAGE]: 'z'.repeat(2_000) },
};

async function loadMallory(store: Store): Promise<void> {
  const slot = slotOf(777_777n);
  const list = 900_000n;
  const bodies: LogBody[] = [
    transfer(ZERO_ADDRESS, MALLORY, list),
    storageLocation(list, locationBytes(slot)),
    listMetadata(slot, 'user', MALLORY),
    accountMetadata(MALLORY, 'primary-list', word(list)),
    follow(slot, STAR.address),
    ...TAGS.map((text) => tag(slot, STAR.address, text)),
  ];
  // Later than every block of the demo graph.
  const blockNumber = 900_000_000;
  const blockHash: Hex = keccak256(stringToHex('mallory'));
  const place = { blockNumber, blockHash, time: NOW - 60 };
  await loadIntoDemo(
    store,
    bodies.map((body, logIndex) => placeLog(body, { ...place, logIndex })),
  );
  await loadProfiles(store, [PROFILE]);
  await loadRanks(store, NOW * 1000);
}

/** Asserts that nothing was executed or injected, and that all links and pictures are of the web. */
async function expectHarmless(page: Page): Promise<void> {
  const links: string[] = await page.locator('a[href]').evaluateAll((all) => all.map(({ href }) => href));
  const pictures: string[] = await page.locator('img').evaluateAll((all) => all.map(({ src }) => src));
  expect({
    hacked: await page.evaluate('window.hacked'),
    injected: await page.locator('.injected, iframe, body script, [onerror], [onclick], [onload]').count(),
    links: links.filter((href) => !/^https?:/.test(href)),
    pictures: pictures.filter((src) => !/^https:|^http:\/\/127\.0\.0\.1:\d+\/demo\//.test(src)),
    scroll: await sidewaysScrollOf(page),
  }).toEqual({ hacked: undefined, injected: 0, links: [], pictures: [], scroll: 0 });
}

describe('a hostile account', () => {
  const explorer = useExplorer({ load: loadMallory });

  const openWatched = async (path: string, width: number) => {
    const page = await explorer().open(path, { viewport: { width, height: 1000 } });
    // An unhandled dialog would be dismissed without a trace.
    page.on('dialog', (dialog) => dialog.dismiss().then(() => page.evaluate('window.hacked = "by a dialog"')));
    return page;
  };

  it.each([320, 1300])('is shown as text on its own page, %i px wide', async (width) => {
    const { ens } = await explorer().ask(`/users/${MALLORY}/details`);
    expect(ens).toMatchObject({ name: LONG_NAME, records: { description: PROFILE.records.description } });
    const page = await openWatched(`/account/${MALLORY}`, width);
    const about = panelOf(page, 'About');
    await panelOf(page, LONG_NAME).getByText(IMAGE).first().waitFor();
    await about.getByText(/other records/).click();
    await about.getByText(SCRIPT, { exact: true }).first().waitFor();
    await about.getByRole('button', { name: 'More', exact: true }).click();
    await about.getByRole('button', { name: 'Less', exact: true }).waitFor();
    await expectHarmless(page);
  });

  it.each([320, 1300])(
    'is shown as text on the page of an account that it follows and tags, %i px wide',
    async (width) => {
      const page = await openWatched(`/account/${STAR.name}/followers`, width);
      const row = rowsOf(page, 'Followers').filter({ hasText: LONG_NAME });
      await row.waitFor();
      await page
        .getByRole('group', { name: 'Tags' })
        .getByText('x'.repeat(255))
        .or(page.getByText(/^\+\d+ more$/))
        .first()
        .waitFor();
      const { followers } = await explorer().ask(`/users/${STAR.name}/followers?limit=1`);
      expect(followers[0]).toMatchObject({ address: MALLORY, tags: expect.arrayContaining([IMAGE, SCRIPT]) });
      const [name, ...tags] = await row.locator('bdi').allTextContents();
      expect(name).toBe(LONG_NAME);
      expect(tags).toEqual(followers[0].tags.slice(0, tags.length));
      await expectHarmless(page);
    },
  );

  it('is shown as text in the activity of that account', async () => {
    const page = await openWatched(`/account/${STAR.name}/activity`, 320);
    await rowsOf(page, 'Activity by day').getByText(IMAGE).first().waitFor();
    await expectHarmless(page);
  });

  it('can be filtered by its tags', async () => {
    const page = await openWatched(`/account/${STAR.name}/followers?tags=${encodeURIComponent(IMAGE)}`, 1300);
    await expect.poll(() => rowsOf(page, 'Followers').count()).toBe(1);
    await expectHarmless(page);
  });

  it('is shown as text in search results and on the leaderboard', async () => {
    const page = await openWatched('/leaderboard', 320);
    await page.getByRole('combobox', { name: /^Search for/ }).fill('aaaaaaa');
    await page.getByRole('option', { name: LONG_NAME }).waitFor();
    await expectHarmless(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: LONG_NAME }).waitFor();
  });

  it.each([IMAGE, SCRIPT, '../../docs', JAVASCRIPT])('cannot be made of the path /account/%s', async (id) => {
    const page = await openWatched(`/account/${encodeURIComponent(id)}`, 1300);
    // Before it, the panels may show alerts of their own.
    await page.locator('.message').getByRole('alert').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(id);
    await expectHarmless(page);
  });
});
