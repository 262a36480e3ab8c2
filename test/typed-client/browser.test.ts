import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ServiceFixture, STAR } from '../http/support.ts';
import { type LogBody, listOp, opBytes, placeLog, word } from '../model/encode-log.ts';
import { anyEngine } from '../support/engines.ts';
import { launchChromium } from '../support/launch-chromium.ts';
import { loadIntoDemo, loadTinyDemo } from '../support/load.ts';
import { waitFor } from '../support/wait-for.ts';

const REQUESTS = 8;

/** Above all blocks of a demo. */
const FIRST_BLOCK = 90_000_000;
const placeAt = (number: number, body: LogBody) => {
  const blockNumber = FIRST_BLOCK + number;
  return placeLog(body, { blockNumber, blockHash: word(BigInt(blockNumber)), time: 1_800_000_000, logIndex: 0 });
};

/** Runs in the page. */
const CALLS = `
  const { createClient } = await import('/client.js');
  const kith = createClient({ baseUrl });
  const params = { addressOrENS: account };
  const { address } = await kith.get('/users/{addressOrENS}/account', params);
  const [state] = await kith.post('/lists/{token_id}/buttonStateBatch', { token_id: list }, [account]);
  let entries = 0;
  for await (const entry of kith.entries('/users/{addressOrENS}/followers', { ...params, limit: 20 })) {
    if (++entries === 50) break;
  }
  const failureOf = (promise) => promise.then(() => 'no failure', (error) => error);
  const unknown = await failureOf(kith.get('/users/{addressOrENS}/stats', { addressOrENS: 'nobody.eth' }));
  const aborted = await failureOf(kith.get('/stats', {}, { signal: AbortSignal.abort() }));
  let limited;
  while (limited?.status !== 429) limited = await failureOf(kith.get('/stats'));
  const network = await failureOf(createClient({ baseUrl: 'http://127.0.0.1:1' }).get('/stats'));
  return {
    address,
    token: state.token_id,
    entries,
    codes: [unknown.code, aborted.name, limited.code, network.code],
    retryAfter: limited.retryAfter,
  };
`;

/** Runs in the page: the last event of a history by GET, of the same by POST, and the next one of a stream that ends often. */
const EVENTS = `
  const { createClient } = await import('/client.js');
  const kith = createClient({ baseUrl });
  const lastOf = async (account) => {
    let last;
    for await (const event of kith.events({ account, lists: 'all', since: '0', until: 'now' })) last = event;
    return last;
  };
  const many = Array.from({ length: 101 }, (_, i) => '0x' + String(i).padStart(40, '0'));
  const found = [await lastOf(account), await lastOf([account, ...many])];
  const { code } = await lastOf('').catch((error) => error);
  const controller = new AbortController();
  for await (const event of kith.events({ account, lists: 'all' }, { signal: controller.signal })) {
    found.push(event);
    controller.abort();
  }
  return { found, code };
`;

/** What `npm run build` writes, which a page can load as it is. */
const BUILT = new URL('../../packages/client/dist/', import.meta.url);

describe.each(anyEngine)('the built client in Chromium, with a service of another origin on $name,', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());
  let server: http.Server;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    server = http.createServer(async ({ url = '' }, response) => {
      const isScript = url.endsWith('.js');
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? await readFile(new URL(`.${url}`, BUILT)) : '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await launchChromium();
    page = await browser.newPage();
    // Safe: it listens on a port.
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });

  it('gets, posts, iterates and reads errors with their Retry-After', async () => {
    const { url } = await fixture.serveDemo({ limits: { rateLimit: { requests: REQUESTS, seconds: 600 } } });
    const values = { baseUrl: url, account: STAR.name, list: STAR.list };
    const result = await page.evaluate(
      `(async ({ baseUrl, account, list }) => { ${CALLS} })(${JSON.stringify(values)})`,
    );
    expect(result).toEqual({
      address: STAR.address,
      token: STAR.list,
      entries: 50,
      codes: ['unknown-name', 'AbortError', 'rate-limited', 'network'],
      retryAfter: expect.toSatisfy((seconds: unknown) => Number(seconds) > 10 && Number(seconds) <= 600),
    });
  });

  it('iterates over events by GET and POST, across connections', async () => {
    const store = await fixture.open();
    await loadTinyDemo(store);
    const { url } = await fixture.serve(store, { now: Date.now, eventLimits: { maxStreamMs: 1 } });
    const slot = { chainId: 8453, slot: 5n } as const;
    const account = '0x00000000000000000000000000000000000000a1';
    await loadIntoDemo(store, [placeAt(1, listOp(slot, opBytes(1, account)))]);
    let connections = 0;
    page.on('request', (request) => {
      if (request.url().includes('/events?') && !request.url().includes('until=now')) connections += 1;
    });
    const result = page.evaluate(
      `(async ({ baseUrl, account }) => { ${EVENTS} })(${JSON.stringify({ baseUrl: url, account })})`,
    );
    await waitFor(() => expect(connections).toBeGreaterThan(1));
    await loadIntoDemo(store, [placeAt(2, listOp(slot, opBytes(2, account)))]);
    const follow = { type: 'follow', target: account, block: FIRST_BLOCK + 1 };
    expect(await result).toMatchObject({
      found: [follow, follow, { type: 'unfollow', target: account, block: FIRST_BLOCK + 2 }],
      code: 'invalid-parameter',
    });
  });
});
