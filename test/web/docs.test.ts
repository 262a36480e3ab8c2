import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { sidewaysScrollOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const MAX_BYTES = 60_000;

describe('the documentation of the API', () => {
  const explorer = useExplorer();
  const operationOf = (page: Page, id: string) => page.locator('.operation', { has: page.locator(`#${id}`) });

  it('is as wide as a phone, with its search and an open operation', async () => {
    const page = await explorer().open('/docs', PHONE);
    const field = await page.getByRole('searchbox', { name: 'Search operations' }).boundingBox();
    expect(field?.width).toBeGreaterThan(350);
    expect([await page.evaluate('innerWidth'), await sidewaysScrollOf(page)]).toEqual([390, 0]);
    await operationOf(page, 'getUserFollowers').locator('summary').click();
    await page.getByRole('button', { name: 'Send request' }).waitFor();
    expect(await sidewaysScrollOf(page)).toBe(0);
  });

  it('has nothing that axe finds in open operations and answers, in both themes', async () => {
    const page = await explorer().open('/docs', { bypassCSP: true });
    for (const id of ['getUserFollowers', 'getAccounts']) {
      const operation = operationOf(page, id);
      await operation.locator('summary').click();
      await operation.getByRole('button', { name: 'Send request' }).click();
      await operation.getByRole('region', { name: /^Answer/ }).waitFor();
    }
    await page.locator('.type').first().locator('summary').click();
    await page.evaluate(axe.source);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const found: string[] = await page.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html].join()))',
      );
      expect([colorScheme, found]).toEqual([colorScheme, []]);
    }
  });

  it('follows the theme that was chosen in the explorer', async () => {
    const page = await explorer().open('/network', { colorScheme: 'light' });
    await page.getByLabel('Theme').selectOption('Dark');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'API' }).click();
    await page.waitForURL(/\/docs$/);
    await expect.poll(() => page.getByLabel('Theme').inputValue()).toBe('dark');
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe('rgb(20, 22, 26)');
  });

  it('searches operations by path and by summary, and hides groups without any', async () => {
    const page = await explorer().open('/docs');
    const operations = page.locator('.operation:visible');
    const all = await operations.count();
    const field = page.getByRole('searchbox', { name: 'Search operations' });
    await field.fill('no such operation');
    await expect.poll(() => operations.count()).toBe(0);
    expect(await page.locator('section:visible').count()).toBe(0);
    await field.fill('LISTS badges');
    await expect.poll(() => operations.count()).toBe(1);
    expect(await operations.innerText()).toContain('Badges of the account of a list');
    await field.fill('');
    await expect.poll(() => operations.count()).toBe(all);
  });

  it('sends the request that its fields describe, and shows it as a command', async () => {
    const page = await explorer().open('/docs');
    const operation = operationOf(page, 'getUserFollowers');
    await operation.locator('summary').click();
    await operation.getByRole('textbox', { name: 'addressOrENS', exact: true }).fill(STAR.address);
    await operation.getByRole('textbox', { name: 'limit' }).fill('1');
    const url = `${explorer().service.url}/api/v1/users/${STAR.address}/followers?limit=1`;
    expect(await operation.locator('.request').innerText()).toBe(`curl "${url}"`);
    await operation.getByRole('button', { name: 'Send request' }).click();
    const answer = await operation.getByRole('region', { name: /^Answer/ }).innerText();
    const expected = await explorer().ask(`/users/${STAR.address}/followers?limit=1`);
    expect(answer).toBe(`200 OK\n\n${JSON.stringify(expected, null, 2)}`);
    await operation.getByRole('textbox', { name: 'limit' }).fill('0');
    await operation.getByRole('button', { name: 'Send request' }).click();
    await operation.getByText('"code": "invalid-parameter"').last().waitFor();
  });

  it('shows examples on lines, and descriptions in one piece before their fields', async () => {
    const page = await explorer().open('/docs');
    const operation = operationOf(page, 'getUserFollowers');
    await operation.locator('summary').click();
    const answer = await fetch(`${explorer().service.url}/openapi.json`);
    // biome-ignore lint/suspicious/noExplicitAny: the test reads single values of the document.
    const document = (await answer.json()) as any;
    const { parameters, responses } = document.paths['/api/v1/users/{addressOrENS}/followers'].get;
    const example = JSON.stringify(responses[200].content['application/json'].example, null, 2);
    expect(await operation.locator('h4:has-text("Answer") ~ pre').innerText()).toBe(example);
    await operation.getByRole('textbox').first().waitFor();
    const pieces = await operation
      .locator('[data-name] dd')
      .evaluateAll((all) => all.map(({ childNodes }) => childNodes.length));
    expect(pieces).toEqual(parameters.map(() => 2));
  });

  it('sends the body of a POST, and a page instead of a stream', async () => {
    const page = await explorer().open('/docs');
    const post = operationOf(page, 'getAccounts');
    await post.locator('summary').click();
    await post.getByRole('textbox', { name: 'Body' }).fill(`["${STAR.address}"]`);
    await post.getByRole('button', { name: 'Send request' }).click();
    await post
      .getByRole('region', { name: /^Answer/ })
      .getByText(`"name": "${STAR.name}"`)
      .waitFor();
    const events = operationOf(page, 'getEvents');
    await events.locator('summary').click();
    await events.getByRole('button', { name: 'Send request' }).click();
    await events
      .getByRole('region', { name: /^Answer/ })
      .getByText('"events": [')
      .waitFor();
  });

  it.each([true, false])(
    'opens the operation or type that a link names, with a script: %s',
    async (javaScriptEnabled) => {
      const page = await explorer().open('/docs#getUserFollowers', { javaScriptEnabled });
      const operation = operationOf(page, 'getUserFollowers');
      await operation.getByText('addressOrENS', { exact: true }).waitFor();
      expect(await operation.locator('.request').innerText()).toMatch(
        /^curl "http.*\/api\/v1\/users\/ada\.eth\/followers"$/,
      );
      await operation.getByRole('link', { name: 'Followers', exact: true }).click();
      await page.locator('#type-Followers').waitFor();
    },
  );

  it('loads with less than 60 KB, and revalidates', async () => {
    let bytes = 0;
    const page = await explorer().open('/docs', {
      prepare: async (opened) => {
        opened.on('requestfinished', async (request) => {
          const { responseBodySize } = await request.sizes();
          bytes += responseBodySize;
        });
      },
    });
    await page.waitForLoadState('networkidle');
    await expect.poll(() => bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(MAX_BYTES);
    const { headers } = await fetch(`${explorer().service.url}/docs`);
    const again = await fetch(`${explorer().service.url}/docs`, {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('leads back to the explorer', async () => {
    const page = await explorer().open('/docs');
    await page.getByRole('link', { name: 'Kith' }).first().click();
    await page.waitForURL(`${explorer().service.url}/`);
    await page.getByRole('combobox', { name: /^Search for/ }).waitFor();
  });
});
