import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimChain } from '../../src/indexer/claim-chain.ts';
import { rewindChain } from '../../src/ingest/rewind.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import { markLoaded } from '../../src/store/state.ts';
import type { Store, Transaction } from '../../src/store/store.ts';
import { ServiceFixture } from '../http/support.ts';
import { createTcpProxy, type TcpProxy } from '../http/tcp-proxy.ts';
import { type LogBody, placeLog, word } from '../model/encode-log.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, CAT, CATS, catsList, follow } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { launchChromium } from '../support/launch-chromium.ts';
import { loadLogs, loadRanks, versionOf } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { accountsIn, rowsOf, textOf } from './read-page.ts';

const LIVE = /^live, /;
const ANNS_PAGE = `/account/${ANN}`;
const [engine = expect.fail('no engine')] = anyEngine;

/** How the page describes its connection. */
const noteOn = (page: Page) => page.getByRole('contentinfo').locator('.freshness');
const dotOn = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).locator('.dot');
const followersOn = (page: Page, count: number) => page.getByRole('link', { name: `Followers: ${count}`, exact: true });

async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);

/** As indexers at the heads of their chains. */
async function beCurrent(tx: Transaction): Promise<void> {
  const time = Math.floor(Date.now() / 1000);
  const head = { head_number: 9_000, head_time: time, checked_at: time * 1000 };
  const position = { number: 9_000, hash: '0x01', time, finalized_number: 8_000 };
  for (const chain_id of [1, 10, 8453]) {
    await claimChain(tx, { chainId: chain_id, deployment: deployments.mainnet, startBlock: 0 });
    await tx.upsert('cursors', [{ chain_id, ...position, ...head }]);
  }
}

/** Adds logs to new blocks of their chains, whose time is now. */
async function write(store: Store, bodies: readonly LogBody[]): Promise<void> {
  const blockNumber = 5000 + (await versionOf(store));
  const place = { blockNumber, blockHash: word(BigInt(blockNumber)), time: Math.floor(Date.now() / 1000) };
  await loadLogs(
    store,
    bodies.map((body, logIndex) => placeLog(body, { ...place, logIndex })),
  );
}

/** The highest block of a chain that has a log. */
async function highestOf(store: Store, chainId: number): Promise<number> {
  const [chain] = await store.transaction((tx) => tx.read('chains', ['chain_id'], [[chainId]]));
  return chain?.block_number ?? expect.fail('no log');
}

describe('an open page', () => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  let service: Service;
  let proxy: TcpProxy;
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let context: BrowserContext;

  beforeAll(async () => {
    browser = await launchChromium();
    store = await fixture.open();
    await write(store, [...annsList, ...bobsList, ...catsList, follow(BOBS, ANN), follow(ANNS, BOB)]);
    await loadRanks(store, Date.now());
    await store.transaction(markLoaded);
    const clock = { now: Date.now, monotonic: () => performance.now() };
    service = await fixture.serve(store, clock);
    proxy = await createTcpProxy(service.url);
  });
  beforeEach(() => store.transaction(beCurrent));
  afterEach(() => context.close());
  afterAll(async () => {
    await browser.close();
    await proxy.disconnect();
    await fixture.close();
  });

  const streams = async (): Promise<number> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^kith_event_streams (\d+)$/m.exec(text)?.[1]);
  };

  /** Opens paths as tabs of one browser. */
  async function openTabs(...paths: string[]): Promise<Page[]> {
    context = await browser.newContext({ reducedMotion: 'reduce', bypassCSP: true });
    const pages: Page[] = [];
    for (const path of paths) {
      const page = await context.newPage();
      await page.goto(new URL(path, proxy.url).href);
      await page.getByRole('heading', { level: 1 }).waitFor();
      pages.push(page);
    }
    await waitFor(async () => expect(await streams()).toBe(1));
    return pages;
  }

  /** Cat follows Ann until the end of the check. */
  async function whileFollowed(check: () => Promise<unknown>): Promise<void> {
    const block = await highestOf(store, 1);
    await write(store, [follow(CATS, ANN)]);
    await check();
    await store.transaction((tx) => rewindChain(tx, 1, block));
  }

  it('shows another number after an event and after its undo, in all tabs of a browser with one stream', async () => {
    const pages = await openTabs(ANNS_PAGE, ANNS_PAGE);
    for (const page of pages) await followersOn(page, 1).waitFor();
    await whileFollowed(async () => {
      for (const page of pages) await followersOn(page, 2).waitFor();
      expect(await streams()).toBe(1);
    });
    for (const page of pages) await followersOn(page, 1).waitFor();
  });

  it('takes over the stream of a tab that is closed or hidden', async () => {
    const [closed, hidden, last] = await openTabs(ANNS_PAGE, '/network', ANNS_PAGE);
    await closed?.close();
    if (hidden === undefined || last === undefined) expect.fail('two pages are left');
    await setHidden(hidden, true);
    await expect.poll(() => textOf(noteOn(last))).toMatch(LIVE);
    await waitFor(async () => expect(await streams()).toBe(1));
    await whileFollowed(() => followersOn(last, 2).waitFor());
    await setHidden(last, true);
    await waitFor(async () => expect(await streams()).toBe(0));
  });

  it('has the right numbers when it is visible again', async () => {
    const [page = expect.fail('no page')] = await openTabs(ANNS_PAGE);
    await followersOn(page, 1).waitFor();
    await setHidden(page, true);
    await waitFor(async () => expect(await streams()).toBe(0));
    await whileFollowed(async () => {
      await setHidden(page, false);
      await followersOn(page, 2).waitFor();
    });
    await followersOn(page, 1).waitFor();
  });

  it('offers new followers and shows them when somebody wants to, by keyboard as well', async () => {
    const [overview = expect.fail('no page'), followers = expect.fail('no page')] = await openTabs(
      ANNS_PAGE,
      `${ANNS_PAGE}/followers`,
    );
    const lists = [rowsOf(overview, 'Latest followers'), rowsOf(followers, 'Followers')];
    for (const list of lists) await expect.poll(() => accountsIn(list)).toEqual([BOB]);
    await whileFollowed(async () => {
      const offers = [
        overview.getByRole('button', { name: '1 new follower · show' }),
        followers.getByRole('button', { name: '1 new change · show' }),
      ];
      for (const offer of offers) await offer.waitFor();
      for (const list of lists) expect(await accountsIn(list)).toEqual([BOB]);
      expect(await violationsOn(overview)).toEqual([]);
      for (const offer of offers) await offer.press('Enter');
      for (const list of lists) await expect.poll(() => accountsIn(list)).toEqual([CAT, BOB]);
      expect(await overview.evaluate('document.activeElement.ariaLabel')).toBe('Latest followers');
    });
    // The undone follow goes without a question.
    for (const list of lists) await expect.poll(() => accountsIn(list)).toEqual([BOB]);
  });

  it('has a feed on the start page, which stands still under the pointer and loses what is undone', async () => {
    const [page = expect.fail('no page')] = await openTabs('/');
    const rows = rowsOf(page, 'Happening now');
    await rows.first().waitFor();
    const before = await accountsIn(rows);
    await whileFollowed(async () => {
      await expect.poll(() => rows.count()).toBe(before.length / 2 + 1);
      expect(await textOf(rows.first())).toMatch(/^0xcccc…cccc followed 0xaaaa…aaaa (now|\d+ seconds? ago)$/);
      await page.locator('[aria-live=polite]').filter({ hasText: 'New: follow by 0xcccc…cccc' }).waitFor();
      expect(await violationsOn(page)).toEqual([]);
    });
    await expect.poll(() => accountsIn(rows)).toEqual(before);
    const pause = page.getByRole('button', { name: 'Pause' });
    for (const [stop, goOn] of [
      [() => rows.first().hover(), () => page.mouse.move(0, 0)],
      [() => rows.first().getByRole('link').first().focus(), () => page.evaluate('document.activeElement.blur()')],
      [() => pause.press('Enter'), () => pause.press('Enter')],
    ]) {
      await stop?.();
      await whileFollowed(async () => {
        await page.getByText('1 waiting', { exact: true }).waitFor();
        expect(await accountsIn(rows)).toEqual(before);
        await goOn?.();
        await expect.poll(() => rows.count()).toBe(before.length / 2 + 1);
      });
      await expect.poll(() => accountsIn(rows)).toEqual(before);
    }
  });

  it('says within two seconds that the service does not answer, and when it does again', async () => {
    const [page = expect.fail('no page')] = await openTabs(ANNS_PAGE);
    await expect.poll(() => textOf(noteOn(page))).toMatch(LIVE);
    const note = page.getByRole('status').filter({ hasText: 'tries again by itself' });
    await page.clock.install();
    await proxy.disconnect();
    for (let ms = 0; ms < 2_000; ms += 200) await page.clock.runFor(200);
    await note.waitFor();
    expect(await textOf(noteOn(page))).toBe('no connection, trying again');
    expect(await dotOn(page).getAttribute('data-level')).toBe('bad');
    await whileFollowed(async () => {
      await proxy.reconnect();
      for (let ms = 0; ms < 2_000; ms += 200) await page.clock.runFor(200);
      await expect.poll(() => textOf(noteOn(page))).toMatch(LIVE);
      await note.waitFor({ state: 'detached' });
      await page.clock.resume();
      await followersOn(page, 2).waitFor();
    });
  });

  it('compares the status when the service sends no events', async () => {
    context = await browser.newContext();
    await context.route('**/api/v1/events*', (route) => route.fulfill({ status: 404, body: 'not here' }));
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(new URL(ANNS_PAGE, proxy.url).href);
    await followersOn(page, 1).waitFor();
    await whileFollowed(async () => {
      await expect
        .poll(async () => {
          await page.clock.runFor(500);
          return [await followersOn(page, 2).count(), await dotOn(page).getAttribute('data-level')];
        })
        .toEqual([1, 'good']);
    });
  });
});
