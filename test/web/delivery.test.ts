import { describe, expect, it } from 'vitest';
import { STAR, send } from '../http/support.ts';
import { useExplorer } from './use-explorer.ts';

const PATHS = [
  '/',
  `/account/${STAR.name}`,
  `/account/${STAR.name}/followers`,
  `/list/${STAR.list}`,
  '/leaderboard',
  '/network',
];
const MAX_BYTES = 80_000;
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self' https:",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

describe('the explorer is delivered', () => {
  const explorer = useExplorer();
  const request = (path: string, headers: Record<string, string> = {}) =>
    send(explorer().service.url, { path, headers });

  it.each(PATHS)('with a Content-Security-Policy that allows only its own code on %s', async (path) => {
    const { status, headers } = await request(path);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
    const directives = String(headers['content-security-policy']).split('; ');
    expect(
      Object.fromEntries(directives.map((text) => [text.split(' ', 1)[0], text.slice(text.indexOf(' ') + 1)])),
    ).toEqual(POLICY);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cache-control']).toBe('no-cache');
  });

  it('without inline scripts and styles', async () => {
    const { body } = await request('/');
    expect(body).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/i);
  });

  it.each([...PATHS, `/account/${STAR.address}/mutuals`, '/list/007'])(
    'with the first request of %s, which the page does not make again',
    async (path) => {
      const { body } = await request(path);
      const preload = /<link rel="preload" href="([^"]+)" as="fetch" crossorigin \/>/.exec(body)?.[1];
      const url = preload?.replaceAll('&amp;', '&') ?? expect.fail('no preload');
      const urls: string[] = [];
      const page = await explorer().open(path, {
        prepare: async (opened) => {
          opened.on('request', (made) => urls.push(made.url()));
          await opened.addInitScript(
            'window.asked = []; const { fetch } = window; window.fetch = (url, init) => (asked.push(url), fetch(url, init))',
          );
        },
      });
      await expect.poll(() => page.evaluate('asked')).toContain(url);
      await page.waitForLoadState('networkidle');
      expect(urls.filter((made) => made === `${explorer().service.url}${url}`)).toHaveLength(1);
    },
  );

  it.each(['/', `/account/${STAR.name}`])('with less than 80 KB for the first load of %s', async (path) => {
    const sizes: { url: string; bytes: number }[] = [];
    const page = await explorer().open(path, {
      prepare: async (opened) => {
        opened.on('requestfinished', async (finished) => {
          if (!['document', 'script', 'stylesheet'].includes(finished.resourceType())) return;
          sizes.push({ url: finished.url(), bytes: (await finished.sizes()).responseBodySize });
        });
      },
    });
    await page.waitForLoadState('networkidle');
    await expect.poll(() => sizes.length).toBeGreaterThanOrEqual(3);
    expect(sizes.every(({ bytes }) => bytes > 0)).toBe(true);
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(total, JSON.stringify(sizes)).toBeLessThan(MAX_BYTES);
  });

  it('with assets that are compressed and never change', async () => {
    const { body } = await request('/');
    const assets = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(assets.length).toBeGreaterThanOrEqual(3);
    for (const path of assets) {
      const { status, headers } = await request(path, { 'accept-encoding': 'br, gzip' });
      expect({ path, status, encoding: headers['content-encoding'] }).toEqual({ path, status: 200, encoding: 'br' });
      expect(headers['cache-control']).toMatch(/max-age=31536000.*immutable/);
      expect(headers.vary).toMatch(/accept-encoding/i);
      const plain = await request(path, { 'accept-encoding': 'identity' });
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(plain.bytes.length).toBeGreaterThan(Number(headers['content-length'] ?? 0));
    }
  });

  it.each(['/unknown', '/account', '/account/a/b', '/assets/unknown.js', '/index.html'])(
    'while the unknown path %s is still a problem in JSON',
    async (path) => {
      const { status, headers, body } = await request(path);
      expect({ status, type: headers['content-type'] }).toEqual({
        status: 404,
        type: expect.stringMatching(/^application\/problem\+json/),
      });
      expect(JSON.parse(body)).toMatchObject({ status: 404 });
    },
  );

  it('as a page that a browser keeps in scope: other paths of the service load as documents', async () => {
    const page = await explorer().open('/');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'API' }).click();
    await page.waitForURL(/\/docs/);
    expect(await page.locator('#app').count()).toBe(0);
  });
});
