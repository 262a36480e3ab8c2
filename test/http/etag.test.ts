import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { ANN, ANNS, annsList, BOB, bobsList, follow, logsOf, unfollow } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { ServiceFixture, write } from './support.ts';

const followers = `/users/${BOB}/followers`;

describe.each(anyEngine)('the ETag of a response', (engine) => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  let service: Service;
  beforeEach(async () => {
    store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
    service = await fixture.serve(store);
  });
  afterEach(() => fixture.close());

  const etagOf = async (path: string, from = service) => (await from.get(path)).headers.get('etag') ?? '';

  it('is strong for an uncompressed body', async () => {
    expect(await etagOf(followers)).toMatch(/^"[\x21\x23-\x7e]+"$/);
  });

  it('is equal for equal bodies of misses, hits, other URLs and other processes', async () => {
    const miss = await etagOf(followers);
    const others = [
      await etagOf(followers),
      await etagOf(`${followers}?cache=fresh`),
      await etagOf(`${followers}?limit=10`),
      await etagOf('/lists/2/followers'),
      await etagOf(followers, await fixture.serve(await fixture.open())),
    ];
    expect(others).toEqual(others.map(() => miss));
  });

  it('differs for different bodies', async () => {
    const paths = [
      followers,
      `/users/${ANN}/followers`,
      `/users/${BOB}/notifications`,
      `/users/${BOB}/notifications?interval=all`,
      '/lists/0/details',
      '/lists/2/details',
      '/lists/0/badges',
      '/leaderboard/search',
    ];
    const etags = await Promise.all(paths.map((path) => etagOf(path)));
    expect(new Set(etags).size).toBe(paths.length);
  });

  it('changes with the data and depends on nothing else', async () => {
    const before = await etagOf(followers);
    await write(store, [unfollow(ANNS, BOB)]);
    const after = await etagOf(followers);
    expect(after).not.toBe(before);
    expect(after).toBe(await etagOf(`/users/${ANN}/followers`));
  });

  it.each([
    ['itself', (etag: string) => etag],
    ['a list that contains it', (etag: string) => `"a", ${etag} ,"b"`],
    ['its weak form', (etag: string) => `W/${etag}`],
    ['a list that contains its weak form', (etag: string) => `W/"a",W/${etag}`],
    ['an asterisk', () => '*'],
  ])('matches If-None-Match with %s: 304 without a body', async (_, headerOf) => {
    const etag = await etagOf(followers);
    for (const query of ['', '?cache=fresh', '?limit=10', '?limit=10']) {
      const init = { headers: { 'if-none-match': headerOf(etag) } };
      const { status, headers, text } = await service.get(followers + query, init);
      expect({ query, status, text, etag: headers.get('etag') }).toEqual({ query, status: 304, text: '', etag });
      expect([headers.get('content-length'), headers.get('content-type')]).toEqual([null, null]);
      expect(headers.get('x-cache')).not.toBeNull();
    }
  });

  it('matches If-None-Match of a HEAD request', async () => {
    const headers = { 'if-none-match': await etagOf(followers) };
    const answer = await service.get(followers, { method: 'HEAD', headers });
    expect(answer.status).toBe(304);
    // A length of 0 would contradict that of the 200 (RFC 9110, section 8.6).
    expect(answer.headers.has('content-length')).toBe(false);
  });

  it.each([
    ['another tag', () => '"other"'],
    ['an empty value', () => ''],
    ['itself without quotes', (etag: string) => etag.slice(1, -1)],
    ['a prefix of itself', (etag: string) => `${etag.slice(0, -2)}"`],
    ['itself inside another', (etag: string) => `"x${etag.slice(1)}`],
  ])('does not match If-None-Match with %s: 200 with the body', async (_, headerOf) => {
    const { text, headers } = await service.get(followers);
    const init = { headers: { 'if-none-match': headerOf(headers.get('etag') ?? '') } };
    expect(await service.get(followers, init)).toMatchObject({ status: 200, text });
  });

  it('does not match after a commit that changes the response', async () => {
    const headers = { 'if-none-match': await etagOf(followers) };
    await write(store, [unfollow(ANNS, BOB)]);
    expect(await service.get(followers, { headers })).toMatchObject({ status: 200, json: { followers: [] } });
  });

  it('does not turn an error into a 304', async () => {
    expect((await service.get('/lists/999/details', { headers: { 'if-none-match': '*' } })).status).toBe(404);
  });
});
