import http from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ServiceFixture, write } from '../http/support.ts';
import { anyEngine } from '../support/engines.ts';
import { launchChromium } from '../support/launch-chromium.ts';
import { waitFor } from '../support/wait-for.ts';
import { BOB, CAT, followOf, MINT } from './event-logs.ts';

/** The script of a page that shows what its stream sends. */
const listenTo = (url: string) => `
  globalThis.state = { targets: [], problems: [], opened: 0 };
  const events = new EventSource(${JSON.stringify(url)});
  events.addEventListener('open', () => { state.opened += 1; });
  events.addEventListener('follow', ({ data }) => state.targets.push(JSON.parse(data).target));
  events.addEventListener('problem', ({ data }) => state.problems.push(JSON.parse(data).code));
`;

interface State {
  readonly targets: readonly string[];
  readonly problems: readonly string[];
  readonly opened: number;
}

describe.each(anyEngine)("a browser's EventSource on $name", (engine) => {
  const fixture = new ServiceFixture(engine);
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(() => fixture.close());
  afterAll(() => browser?.close());

  /** Opens a stream in an empty page, which may ask any origin. */
  async function listen(url: string) {
    const page = await browser.newPage();
    await page.evaluate(listenTo(`${url}/api/v1/events?type=follow`));
    return { state: () => page.evaluate<State>('state'), close: () => page.close() };
  }

  it('connects again by itself when its stream has ended, and misses nothing', async () => {
    const store = await fixture.open();
    await write(store, MINT);
    const { url } = await fixture.serve(store, {
      monotonic: () => performance.now(),
      eventLimits: { maxStreamMs: 1_500 },
    });
    const { state, close } = await listen(url);
    await waitFor(async () => expect((await state()).opened).toBe(1));
    await write(store, [followOf(BOB)]);
    // Between two streams, too: what is written then has no stream to be sent to.
    await waitFor(async () => expect((await state()).opened).toBe(2));
    await write(store, [followOf(CAT)]);
    await waitFor(async () => expect((await state()).opened).toBeGreaterThan(2));
    expect((await state()).targets).toEqual([BOB, CAT]);
    await close();
  });

  it('is told by an event that there is no room, and connects again when there is', async () => {
    const store = await fixture.open();
    await write(store, MINT);
    const { url } = await fixture.serve(store, {
      monotonic: () => performance.now(),
      eventLimits: { maxStreams: 1 },
    });
    const other = http.get(`${url}/api/v1/events`);
    other.on('error', () => undefined);
    await new Promise((resolve) => other.once('response', resolve));
    const { state, close } = await listen(url);
    await waitFor(async () => expect((await state()).problems).toEqual(['overloaded']));
    other.destroy();
    await waitFor(async () => expect((await state()).opened).toBeGreaterThan(1));
    await write(store, [followOf(BOB)]);
    await waitFor(async () => expect((await state()).targets).toEqual([BOB]));
    await close();
  });
});
