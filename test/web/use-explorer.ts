import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { NOW, ServiceFixture } from '../http/support.ts';
import { anyEngine } from '../support/engines.ts';
import { launchChromium } from '../support/launch-chromium.ts';
import type { Service } from '../support/service.ts';

export interface Explorer {
  readonly service: Service;
  /** Opens a path of the explorer in a new browser context. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** The body of a successful answer to a path below /api/v1. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read single fields and compare their values.
  ask(path: string): Promise<any>;
}

interface OpenOptions extends BrowserContextOptions {
  /** Runs before the page is loaded. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

interface ExplorerOptions {
  /** Instead of the demo graph. */
  readonly isEmpty?: boolean;
  /** Adds to the demo graph, or to the empty database. */
  readonly load?: (store: Store) => Promise<void>;
}

/** Reduced motion spares the machine the animation of the graph. */
const CONTEXT = { viewport: { width: 1300, height: 1000 }, reducedMotion: 'reduce' } as const;

let launched: Promise<Browser> | undefined;
/** One browser for the test files of a worker, which ends with its process. */
const launchOnce = () => (launched ??= launchChromium());

/**
 * Serves the demo graph to Chromium for the tests of a suite. After each test, the pages that it opened must
 * have logged no error, and must have loaded nothing but pictures from elsewhere.
 */
export function useExplorer({ isEmpty = false, load }: ExplorerOptions = {}): () => Explorer {
  const [engine = expect.fail('no engine')] = anyEngine;
  const fixture = new ServiceFixture(engine);
  let browser: Browser;
  let service: Service;
  const pages: Page[] = [];
  const failures: string[] = [];
  beforeAll(async () => {
    browser = await launchOnce();
    service = isEmpty ? await fixture.serve(await fixture.open()) : await fixture.serveDemo();
    if (load !== undefined) await load(await fixture.open());
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) {
      // A page asks for its status again and again, so that a request may be intercepted while it closes.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.context().close();
    }
    expect(failures.splice(0), 'errors in the console, and loads from elsewhere').toEqual([]);
  });
  afterAll(() => fixture.close());

  const open: Explorer['open'] = async (path, { prepare, ...options } = {}) => {
    const context = await browser.newContext({ ...CONTEXT, ...options });
    const page = await context.newPage();
    pages.push(page);
    await page.clock.setFixedTime(NOW * 1000);
    page.on('request', (request) => {
      const isOwn = new URL(request.url()).origin === service.url;
      const isPicture = request.resourceType() === 'image' && request.url().startsWith('https:');
      if (!isOwn && !isPicture) failures.push(`${request.resourceType()} from ${request.url()}`);
    });
    page.on('pageerror', (error) => failures.push(String(error)));
    page.on('console', (message) => {
      // Chromium reports every response with an error status as such.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        failures.push(message.text());
    });
    await prepare?.(page);
    await page.goto(service.url + path, { waitUntil: 'domcontentloaded' });
    return page;
  };
  const ask: Explorer['ask'] = async (path) => {
    const { status, json } = await service.get(path);
    expect(status, path).toBe(200);
    return json;
  };
  return () => ({ service, open, ask });
}
