import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANN, ANNS, annsList, BOB, bobsList, CAT, follow, logsOf } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { expectProblem, NOW, ServiceFixture, send } from './support.ts';

describe.each(anyEngine)('the picture of an account for previews', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
    await loadProfiles(store, [
      { address: ANN, name: `${'a'.repeat(240)}.eth`, fresh: 1 },
      { address: BOB, name: '🔥測試.eth', fresh: 1 },
    ]);
    await loadRanks(store, NOW * 1000);
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const picture = (account: string, headers: Record<string, string> = {}) =>
    send(service.url, { path: `/account/${account}/image.png`, headers });

  it.each([
    ['with a long name', ANN],
    ['with a name of emoji and other scripts', BOB],
    ['without a name', CAT],
  ])('is a PNG of 1200 x 630 pixels for an account %s', async (_, account) => {
    const { status, headers, bytes } = await picture(account);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'image/png', 'no-cache']);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  it('is the same for a name and its address, and revalidates', async () => {
    const byAddress = await picture(BOB);
    const byName = await picture(encodeURIComponent('🔥測試.eth'));
    expect(byName.bytes.equals(byAddress.bytes)).toBe(true);
    expect((await picture(CAT)).headers.etag).not.toBe(byName.headers.etag);
    const again = await picture(BOB, { 'if-none-match': String(byName.headers.etag) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('is a problem for an unknown name and for a text that is neither a name nor an address', async () => {
    const problemOf = (account: string) => fetchAnswer(`${service.url}/account/${account}/image.png`);
    expectProblem(await problemOf('nobody.eth'), { status: 404, code: 'names-not-resolved' });
    expectProblem(await problemOf('nobody'), { status: 400, code: 'invalid-parameter' });
  });

  it('is not drawn from a graph that is loaded for the first time', async () => {
    const other = new ServiceFixture(engine);
    const { url } = await other.serve(await other.open());
    const answer = await fetchAnswer(`${url}/account/${CAT}/image.png`);
    expectProblem(answer, { status: 503, code: 'unavailable' });
    expect(answer.headers.get('etag')).toBeNull();
    await other.close();
  });

  it('is drawn one after another, beside the event loop', async () => {
    const accounts = Array.from({ length: 12 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`);
    const drawing = Promise.all(accounts.map((account) => picture(account)));
    let health = 0;
    let isDrawing = true;
    void drawing.finally(() => {
      isDrawing = false;
    });
    while (isDrawing) {
      await send(service.url, { path: '/health' });
      health += 1;
    }
    expect((await drawing).map(({ status }) => status)).toEqual(accounts.map(() => 200));
    expect(health).toBeGreaterThan(accounts.length * 3);
  });

  it('counts for the rate limit', async () => {
    const limited = await fixture.serve(await fixture.open(), { limits: { rateLimit: { requests: 1, seconds: 60 } } });
    const url = `${limited.url}/account/${CAT}/image.png`;
    expect((await fetch(url)).status).toBe(200);
    const answer = await fetchAnswer(url);
    expectProblem(answer, { status: 429, code: 'rate-limited' });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
