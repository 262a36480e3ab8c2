import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import type { Service } from '../support/service.ts';
import { ServiceFixture, STAR, send } from './support.ts';

const PUBLIC_URL = 'https://kith.example';
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** The content of a meta element; undefined if there is none. */
const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)" />`).exec(html)?.[1];
const titleOf = (html: string) => /<title>(.*)<\/title>/.exec(html)?.[1];

describe.each(anyEngine)('the document of a page', (engine) => {
  const fixture = new ServiceFixture(engine);
  const log: string[] = [];
  let service: Service;
  beforeAll(async () => {
    service = await fixture.serveDemo({ publicUrl: PUBLIC_URL, log: (line) => log.push(line) });
  });
  afterAll(() => fixture.close());

  const open = (path: string, { url } = service) => send(url, { path, headers: HTML });

  it.each(['', '/followers', '/following', '/activity', '/graph'])(
    'of an account has its name, its numbers and its picture on the tab "%s"',
    async (tab) => {
      const { json } = await service.get(`/users/${STAR.name}/details`);
      const { status, body } = await open(`/account/${STAR.name}${tab}?sort=x`);
      expect([status, titleOf(body)]).toEqual([200, `${STAR.name} · Kith`]);
      const description = metaOf(body, 'og:description');
      expect(description).toContain(`${json.followers_count} followers, ${json.following_count} following, rank 1`);
      expect(metaOf(body, 'description')).toBe(description);
      expect([metaOf(body, 'og:title'), metaOf(body, 'og:type')]).toEqual([STAR.name, 'profile']);
      expect(metaOf(body, 'og:url')).toBe(`${PUBLIC_URL}/account/${STAR.name}${tab}`);
      expect(metaOf(body, 'og:image')).toBe(`${PUBLIC_URL}/account/${STAR.address}/image.png`);
      expect(metaOf(body, 'twitter:card')).toBe('summary_large_image');
      expect(body).toMatch(/<script type="module" [^>]*src="\/assets\//);
    },
  );

  it('of a list has its number and the name of its account', async () => {
    const { status, body } = await open(`/list/${STAR.list}`);
    expect([status, titleOf(body)]).toEqual([200, `List #${STAR.list} of ${STAR.name} · Kith`]);
    expect(metaOf(body, 'og:type')).toBe('website');
    expect(metaOf(body, 'og:image')).toBe(`${PUBLIC_URL}/account/${STAR.address}/image.png`);
  });

  it.each([`/account/${STAR.name}/`, `/account/${STAR.name}/graph/`, `/list/0${STAR.list}`, `/list/${STAR.list}/`])(
    'of %s is the same as without a slash at the end or a zero in front',
    async (path) => {
      const plain = path.replace(/\/$/, '').replace('/0', '/');
      const [page, expected] = [await open(path), await open(plain)];
      expect([page.status, titleOf(page.body)]).toEqual([200, titleOf(expected.body)]);
    },
  );

  it('takes no link from the headers of a request', async () => {
    const { url } = await fixture.serve(await fixture.open());
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const { body } = await send(url, { path: `/account/${STAR.name}`, headers });
    expect(titleOf(body)).toBe(`${STAR.name} · Kith`);
    expect(body).not.toMatch(/evil|og:url|og:image/);
  });

  it.each(['/account/nobody.eth', '/account/nobody', '/account/%22%3E%3Cscript%3E', '/list/999999', '/list/x'])(
    'of the unknown %s is that of all pages, with status 404',
    async (path) => {
      const { status, body } = await open(path);
      expect([status, titleOf(body)]).toEqual([404, 'Kith']);
      expect(body).not.toMatch(/og:|"><script>/);
    },
  );

  it('is that of all pages while the graph is loaded for the first time', async () => {
    const other = new ServiceFixture(engine);
    const loading = await other.serve(await other.open());
    for (const path of [`/account/${STAR.address}`, '/list/1']) {
      const { status, body } = await open(path, loading);
      expect([path, status, titleOf(body)]).toEqual([path, 200, 'Kith']);
    }
    await other.close();
  });

  it('is not sent above the rate limit, and nothing is logged', async () => {
    const lines: string[] = [];
    const limits = { rateLimit: { requests: 1, seconds: 60 } };
    const limited = await fixture.serve(await fixture.open(), { limits, log: (line) => lines.push(line) });
    const pages = [await open(`/account/${STAR.name}`, limited), await open(`/account/${STAR.name}`, limited)];
    expect(pages.map(({ status }) => status)).toEqual([200, 429]);
    expect(lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
  });

  it('does not wait for a name source that hangs', async () => {
    const names = { addressOf: () => new Promise<never>(() => undefined) };
    const hanging = await fixture.serve(await fixture.open(), {
      sources: { names, kinds: { names: 'chain', badges: 'none' } },
    });
    const { status, body } = await open('/account/slow.eth', hanging);
    expect([status, titleOf(body)]).toEqual([200, 'Kith']);
  });

  it.each(['/nowhere', '/account', '/account/a/b', '/assets/unknown.js', '/docs/nowhere'])(
    'is that of all pages for a browser on the unknown path %s, and a problem for a program',
    async (path) => {
      const page = await open(path);
      expect([page.status, titleOf(page.body), page.headers.vary]).toEqual([
        404,
        'Kith',
        expect.stringMatching(/Accept/),
      ]);
      expect(page.headers['content-security-policy']).toContain("script-src 'self'");
      const problem = await send(service.url, { path, headers: { accept: '*/*' } });
      expect([problem.status, JSON.parse(problem.body).code]).toEqual([404, 'unknown-path']);
    },
  );

  it.each([STAR.name, STAR.address, STAR.address.toUpperCase().replace('X', 'x'), encodeURIComponent('🔥.eth')])(
    'is where the path /%s leads to, with or without a slash',
    async (account) => {
      for (const path of [`/${account}`, `/${account}/`]) {
        const { status, headers } = await open(path);
        expect([status, headers.location]).toEqual([308, `/account/${account}`]);
      }
      expect((await send(service.url, { path: `/${account}`, method: 'POST' })).status).toBe(404);
    },
  );

  it.each(['/ada', '/ada.txt', `/${STAR.address}0`, '/0x12', '/a/ada.eth', '//ada.eth', '/.eth', '/eth'])(
    'is not where %s leads to',
    async (path) => {
      expect((await open(path)).status).toBe(404);
    },
  );

  it('is a problem for everyone on an unknown path of the API, and for a write', async () => {
    expect(JSON.parse((await open('/api/v1/nowhere')).body)).toMatchObject({ code: 'unknown-path' });
    const write = await send(service.url, { path: '/nowhere', method: 'POST', headers: HTML });
    expect(JSON.parse(write.body)).toMatchObject({ code: 'unknown-path' });
  });

  it('may be read by search engines, unlike the API', async () => {
    const { status, headers, body } = await open('/robots.txt');
    expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
    expect(body.match(/^(Dis)?allow:.*/gim)).toEqual(['Disallow: /api/']);
  });

  it('was made without errors', () => {
    expect(log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });
});
