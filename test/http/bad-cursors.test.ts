import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import type { Service } from '../support/service.ts';
import { cursorOf, encode, forge, nextOf } from './page-links.ts';
import { expectProblem, ServiceFixture, STAR } from './support.ts';

describe.each(anyEngine)('a cursor that does not fit', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  let cursor: string;
  let offsetCursor: string;
  const PATH = `/users/${STAR.address}/followers`;
  beforeAll(async () => {
    service = await fixture.serveDemo();
    cursor = cursorOf(nextOf(PATH, await service.get(`${PATH}?limit=2`)));
    offsetCursor = cursorOf(nextOf('', await service.get('/leaderboard/ranked?limit=2')));
  });
  afterAll(() => fixture.close());

  const expectRefused = async (path: string, reason: RegExp) => {
    const answer = await service.get(path);
    expect(expectProblem(answer, { status: 400, code: 'invalid-parameter' })).toMatch(reason);
  };

  it('is 400 beside an offset, even of 0', async () => {
    for (const offset of ['0', '2']) await expectRefused(`${PATH}?cursor=${cursor}&offset=${offset}`, /offset.*cursor/);
    expect((await service.get(`${PATH}?cursor=${cursor}&offset=`)).status).toBe(200);
  });

  it.each([
    ['another lookup', `/users/${STAR.address}/following`],
    ['another account', `/users/${`0x${'1'.repeat(40)}`}/followers`],
    ['the same account by name', `/users/${STAR.name}/followers`],
    ['another order', `${PATH}?sort=earliest`],
    ['other tags', `${PATH}?tags=top8`],
  ])('is 400 at %s', async (_, path) => {
    await expectRefused(`${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`, /cursor.*another lookup/);
  });

  it('is 400 at a lookup whose cursors have another form', async () => {
    await expectRefused(`${PATH}?cursor=${offsetCursor}`, /cursor/);
    await expectRefused(`/discover?cursor=${cursor}`, /cursor/);
    for (const path of ['/leaderboard/search?', '/leaderboard/all?', '/leaderboard/all?limit=2&']) {
      await expectRefused(`${path}cursor=${offsetCursor}`, /cursor.*another lookup/);
    }
  });

  it.each([
    ['/minters', ['']],
    ['/minters', ['1'.repeat(79)]],
    ['/minters', [`1'`]],
    ['/minters', [1]],
    ['/discover', [1]],
    ['/discover', [2 ** 53, STAR.address]],
    ['/discover', [1.5, STAR.address]],
    ['/discover', [1, '0x1']],
  ])('is 400 if it is forged for %s with the key %j', async (path, key) => {
    await expectRefused(`${path}?cursor=${forge(path, key)}`, /^cursor must be the cursor/);
  });

  it('is 400 if any of its characters is changed', async () => {
    for (let i = 0; i < cursor.length; i += 1) {
      const damaged = `${cursor.slice(0, i)}${cursor[i] === 'A' ? 'B' : 'A'}${cursor.slice(i + 1)}`;
      await expectRefused(`${PATH}?cursor=${damaged}`, /^cursor/);
    }
  });

  it.each([
    ['no base64url', '%%%'.replaceAll('%', '%25')],
    ['base64url of no JSON', 'AAAA'],
    ['an object', encode({})],
    ['an empty array', encode([])],
    ['a key of wrong types', encode(['x', '1', STAR.address])],
    ['a negative number', encode(['x', -1, STAR.address])],
    ['a key that is too long', encode(['x', 1, STAR.address, 1])],
    ['a long text', 'A'.repeat(5000)],
  ])('is 400 if it is %s', async (_, text) => {
    await expectRefused(`${PATH}?cursor=${text}`, /^cursor/);
  });
});
