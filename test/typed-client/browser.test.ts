import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceFixture, STAR } from '../http/support.ts';
import { anyEngine } from '../support/engines.ts';
import { launchChromium } from '../support/launch-chromium.ts';

const REQUESTS = 8;

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

/** What `npm run build` writes, which a page can load as it is. */
const BUILT = new URL('../../packages/client/dist/client.js', import.meta.url);

describe.each(anyEngine)('the built client in Chromium, with a service of another origin on $name,', (engine) => {
  const fixture = new ServiceFixture(engine);
  let server: http.Server;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    const script = await readFile(BUILT, 'utf8');
    server = http.createServer(({ url }, response) => {
      const isScript = url === '/client.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html').end(isScript ? script : '');
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
    await fixture.close();
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
      codes: ['names-not-resolved', 'AbortError', 'rate-limited', 'network'],
      retryAfter: expect.toSatisfy((seconds: unknown) => Number(seconds) > 10 && Number(seconds) <= 600),
    });
  });
});
