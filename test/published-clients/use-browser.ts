import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'node:querystring';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchChromium } from '../support/launch-chromium.ts';
import type { Service } from '../support/service.ts';
import { buildPage } from './build-page.ts';
import { NOW } from './client-graph.ts';
import { type ApiRequest, PAGE_URL, startWebServer, type WebServer } from './web-server.ts';

/** An open page, and what it asked of the service. */
export interface View {
  readonly page: Page;
  /** What a person reads in each visible element that matches, on one line. */
  texts(selector: string): Promise<string[]>;
  /** Requests to the API host so far, preflights included. */
  requests(): readonly ApiRequest[];
  /** Asserts that each request succeeded and that nothing failed in the page, saves a screenshot if asked to, and closes it. */
  finish(name: string): Promise<void>;
}

/** Starts Chromium for the tests of a suite. Host names are mapped to a local server, so nothing leaves the machine. */
export function useBrowser(service: () => Service): (query: Record<string, string | string[]>) => Promise<View> {
  let server: WebServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await startWebServer(service().url, await buildPage());
    browser = await launchChromium(`MAP * 127.0.0.1:${server.port}`);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  return async (query) => {
    const requests = server.takeRequests();
    // The certificate of the local server is self-signed.
    const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1300, height: 1000 } });
    const page = await context.newPage();
    await page.clock.setFixedTime(NOW * 1000);
    const failures: string[] = [];
    page.on('pageerror', (error) => failures.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') failures.push(message.text());
    });
    await page.goto(`${PAGE_URL}?${stringify(query)}`);
    return {
      page,
      texts: async (selector) => {
        const texts = await page.locator(selector).filter({ visible: true }).allInnerTexts();
        return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
      },
      requests: () => {
        requests.push(...server.takeRequests());
        return requests;
      },
      finish: async (name) => {
        await page.waitForLoadState('networkidle');
        await saveScreenshot(page, name);
        await context.close();
        requests.push(...server.takeRequests());
        expect(requests.filter(({ status }) => status !== 200 && status !== 204)).toEqual([]);
        expect(failures).toEqual([]);
      },
    };
  };
}

async function saveScreenshot(page: Page, name: string): Promise<void> {
  const { KITH_SCREENSHOTS } = process.env;
  if (!KITH_SCREENSHOTS) return;
  await mkdir(KITH_SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(KITH_SCREENSHOTS, `${name}.png`) });
}
