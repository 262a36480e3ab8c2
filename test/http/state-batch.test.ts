import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { ANN, ANNS, annsList, BOB, bobsList, CAT, DAN, follow, logsOf, tag } from '../model/small-history.ts';
import { dump } from '../support/dump.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadProfiles } from '../support/load.ts';
import type { Answer, Service } from '../support/service.ts';
import { expectProblem, ServiceFixture, send } from './support.ts';

const PATH = '/lists/0/buttonStateBatch';
const JSON_TYPE = { 'content-type': 'application/json' };
const NONE = { follow: false, block: false, mute: false };
const MAX_BYTES = 128 * 1024;

describe.each(engines)('the batch of states on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  let service: Service;
  beforeAll(async () => {
    store = await fixture.open();
    const records = [follow(ANNS, BOB), follow(ANNS, CAT), tag(ANNS, CAT, 'block'), follow(ANNS, ANN)];
    await loadLogs(store, logsOf([...annsList, ...bobsList, ...records]));
    await loadProfiles(store, [{ address: BOB, name: 'bob.eth', avatar: '', fresh: 1 }]);
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const post = (body: string, headers: Record<string, string> = JSON_TYPE, path = PATH): Promise<Answer> =>
    service.get(path, { method: 'POST', headers, body });
  const postEntries = async (entries: unknown, path = PATH) => {
    const { status, json } = await post(JSON.stringify(entries), JSON_TYPE, path);
    expect(status).toBe(200);
    return json;
  };

  it('has an element for each entry, in their order, with the state of the record', async () => {
    expect(await postEntries([CAT, DAN, BOB])).toEqual([
      { token_id: '0', address: CAT, state: { ...NONE, block: true } },
      { token_id: '0', address: DAN, state: NONE },
      { token_id: '0', address: BOB, state: { ...NONE, follow: true } },
    ]);
  });

  it('has the same states as single requests', async () => {
    const entries = [ANN, BOB, CAT, DAN];
    const single = entries.map(async (entry) => (await service.get(`/lists/0/${entry}/buttonState`)).json);
    expect(await postEntries(entries)).toEqual(await Promise.all(single));
  });

  it('answers duplicates each, and addresses in any letter case in lower case', async () => {
    const upper = `0x${BOB.slice(2).toUpperCase()}`;
    const following = { token_id: '0', address: BOB, state: { ...NONE, follow: true } };
    expect(await postEntries([upper, BOB, `0xBb${BOB.slice(4)}`, BOB])).toEqual(Array(4).fill(following));
  });

  it('resolves names from stored profiles without a name source', async () => {
    const [bob, nobody] = await postEntries(['Bob.eth', 'nobody.eth']);
    expect(bob).toEqual({ token_id: '0', address: BOB, state: { ...NONE, follow: true } });
    expect(nobody).toEqual({ token_id: '0', address: 'nobody.eth', state: null });
  });

  it('has the state null, and the entry as it was given, for null and for what is no account', async () => {
    const entries = [null, '', 'bob', BOB.slice(0, -1), 'a b.eth', '"\\\n\u0000\u2028🦆', '\ud800.eth', ' bob.eth'];
    const expected = entries.map((address) => ({ token_id: '0', address, state: null }));
    expect(await postEntries(entries)).toEqual(expected);
  });

  it('is empty for no entries', async () => {
    expect(await postEntries([])).toEqual([]);
  });

  it('takes 1000 entries and no more', async () => {
    const entries = Array.from({ length: 1000 }, (_, i) => (i === 999 ? BOB : `0x${String(i).padStart(40, '0')}`));
    const states = await postEntries(entries);
    expect(states.map(({ address }: { address: string }) => address)).toEqual(entries);
    expect(states[999].state.follow).toBe(true);
    const answer = await post(JSON.stringify([...entries, null]));
    expect(expectProblem(answer, { status: 400, code: 'malformed-request' })).toMatch(/\b1000\b.*\b1001\b/);
  });

  it.each([
    ['broken JSON', '["', /JSON/],
    ['no body', '', /JSON|body/i],
    ['an object', '{"addresses":[]}', /array/],
    ['a string', '"a"', /array/],
    ['null', 'null', /array/],
    ['a number in the array', `["${BOB}",null,7]`, /\b2\b.*string or null/],
    ['an array in the array', '[[]]', /\b0\b.*string or null/],
    ['an object with a __proto__ key', '[{"__proto__":{"polluted":true}}]', /\b0\b.*string or null/],
  ])('returns 400 that says what is wrong for %s', async (_, body, reason) => {
    expect(expectProblem(await post(body), { status: 400, code: 'malformed-request' })).toMatch(reason);
    expect('polluted' in {}).toBe(false);
  });

  it.each([
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['no content type', {}],
  ])('returns 415 for a body of %s', async (_, headers) => {
    const detail = expectProblem(await post('[]', headers), { status: 415, code: 'unsupported-media-type' });
    expect(detail).toContain('content-type: application/json');
  });

  it('takes application/json with parameters', async () => {
    const { status } = await post('[]', { 'content-type': 'application/json; charset=utf-8' });
    expect(status).toBe(200);
  });

  it('takes a body of 128 KiB and returns 413 for a longer one', async () => {
    const bodyOf = (bytes: number) => `["${'a'.repeat(bytes - 4)}"]`;
    expect((await post(bodyOf(MAX_BYTES))).status).toBe(200);
    expectProblem(await post(bodyOf(MAX_BYTES + 1)), { status: 413, code: 'body-too-large' });
  });

  it('returns 413 for a longer body that is sent in chunks', async () => {
    const headers = { ...JSON_TYPE, 'transfer-encoding': 'chunked' };
    const body = 'x'.repeat(MAX_BYTES + 1);
    const { status } = await send(service.url, { path: `/api/v1${PATH}`, method: 'POST', headers, body });
    expect(status).toBe(413);
  });

  it.each([
    ['an unknown list', '/lists/999/buttonStateBatch', 404, 'unknown-list'],
    ['a text that is no token id', '/lists/x/buttonStateBatch', 400, 'invalid-parameter'],
  ])('returns %s as a problem, whatever the entries are', async (_, path, status, code) => {
    for (const body of ['[]', `["${BOB}",null]`]) {
      expectProblem(await post(body, JSON_TYPE, path), { status, code });
    }
  });

  it('is not cached, neither here nor by clients', async () => {
    const { headers } = await post(`["${BOB}"]`);
    expect([headers.get('cache-control'), headers.get('x-cache')]).toEqual(['no-store', null]);
  });

  it('keeps the connection open, because the body is read', async () => {
    const { headers } = await send(service.url, {
      path: `/api/v1${PATH}`,
      method: 'POST',
      headers: JSON_TYPE,
      body: '[]',
    });
    expect(headers.connection).not.toBe('close');
  });

  it('closes the connection when it rejects the body, which it has not read to the end', async () => {
    const { status, headers } = await send(service.url, {
      path: `/api/v1${PATH}`,
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    });
    expect([status, headers.connection]).toEqual([415, 'close']);
  });

  it('returns 400 for a request without a body', async () => {
    const { status } = await send(service.url, { path: `/api/v1${PATH}`, method: 'POST' });
    expect(status).toBe(400);
  });

  it('changes nothing in the database', async () => {
    const before = await dump(store);
    const version = store.version.current();
    await postEntries([ANN, BOB, 'bob.eth', 'nobody.eth', null]);
    await post('[1]');
    expect(await dump(store)).toEqual(before);
    expect(store.version.current()).toBe(version);
  });
});
