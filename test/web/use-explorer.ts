import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { findChromium } from '../clients/find-chromium.ts';
import { NOW, ServiceFixture } from '../http/support.ts';
import { anyEngine } from '../support/engines.ts';
import { loadProfiles, loadRanks } from '../support/load.ts';
import type { Service } from '../support/service.ts';

export interface Explorer {
  readonly service: Service;
  /** Opens a path of the explorer in a new browser context. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
}

interface ExplorerOptions {
  /** Stored besides those of the demo graph. */
  readonly profiles?: readonly unknown[];
}

/** Installing Chromium on a new machine takes minutes on a slow network. */
const INSTALL_MS = 600_000;
/** A transparent picture, for the avatars of the demo graph. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/**
 * Serves the demo graph and starts Chromium for the tests of a suite. After each test, the pages that it opened must
 * have logged no error, and must have loaded nothing but pictures from elsewhere.
 */
export function useExplorer({ profiles = [] }: ExplorerOptions = {}): () => Explorer {
  const [engine = expect.fail('no engine')] = anyEngine;
  const fixture = new ServiceFixture(engine);
  let browser: Browser;
  let service: Service;
  const pages: Page[] = [];
  const failures: string[] = [];
  beforeAll(async () => {
    service = await fixture.serveDemo();
    if (profiles.length > 0) {
      const store = await fixture.open();
      await loadProfiles(store, profiles);
      await loadRanks(store, NOW * 1000);
    }
    // Names of other hosts are not resolved, so that nothing leaves the machine.
    const args = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];
    browser = await chromium.launch({ executablePath: findChromium(), args });
  }, INSTALL_MS);
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close();
    expect(failures.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await fixture.close();
  });

  const open: Explorer['open'] = async (path, options = {}) => {
    const context = await browser.newContext({ viewport: { width: 1300, height: 1000 }, ...options });
    const page = await context.newPage();
    pages.push(page);
    await page.clock.setFixedTime(NOW * 1000);
    await page.route(/^https:/, async (route) => {
      if (route.request().resourceType() === 'image') return route.fulfill({ body: PIXEL, contentType: 'image/gif' });
      failures.push(`${route.request().resourceType()} from ${route.request().url()}`);
      return route.abort();
    });
    page.on('pageerror', (error) => failures.push(String(error)));
    page.on('console', (message) => {
      // Chromium reports every response with an error status as such.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        failures.push(message.text());
    });
    await page.goto(service.url + path);
    return page;
  };
  return () => ({ service, open });
}
