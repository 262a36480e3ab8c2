import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { expectProblem, ServiceFixture, STAR } from './support.ts';

describe.each(anyEngine)('a name that no account of the demo graph has', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterAll(() => fixture.close());

  it('is unknown, because the data is generated', async () => {
    const { get } = await fixture.serveDemo();
    const detail = expectProblem(await get('/users/nobody.eth/details'), { status: 404, code: 'unknown-name' });
    expect(detail).toMatch(/generated demo graph.*nobody\.eth/);
  });
});

describe.each(anyEngine)('the pictures of the demo graph', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    service = await fixture.serveDemo();
  });
  afterAll(() => fixture.close());

  it('come from the service itself, as pictures without text and scripts', async () => {
    const { json } = await service.get(`/users/${STAR.name}/details`);
    const badges = (await service.get(`/users/${STAR.name}/badges`)).json.poaps;
    const shown = badges.flatMap(({ collection }: { collection: { event: { image_url: string } } | null }) =>
      collection === null ? [] : [collection.event.image_url],
    );
    expect(shown.length).toBeGreaterThan(0);
    const pictures = new Set<string>();
    for (const url of [json.ens.avatar, json.ens.header, ...shown]) {
      const { origin, pathname: path } = new URL(url);
      expect(origin).toBe('http://demo.invalid');
      const { status, headers, text } = await fetchAnswer(service.url + path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'image/svg+xml']);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(text).toMatch(/^<svg [^<>]*>(<(rect|circle) [^<>]*\/>)+<\/svg>$/);
      pictures.add(text);
    }
    expect(pictures.size).toBe(2 + shown.length);
  });

  it('are where the lookup of avatars redirects to', async () => {
    const { status, headers } = await service.get(`/users/${STAR.name}/ens/avatar`);
    expect([status, headers.get('location')]).toEqual([302, `/demo/avatars/${STAR.name}.svg`]);
  });

  it('repeat nothing of their path', async () => {
    const { text } = await fetchAnswer(`${service.url}/demo/avatars/${encodeURIComponent('"><script>')}`);
    expect(text).not.toContain('script');
  });
});
