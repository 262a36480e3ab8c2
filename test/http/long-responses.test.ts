import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { locationBytes, storageLocation, transfer } from '../model/encode-log.ts';
import { ZERO_ADDRESS } from '../model/mainnet.ts';
import { ANN, ANNS, annsList, BOB, follow, logsOf, slotOf, tag, unfollow } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { ServiceFixture, write } from './support.ts';

const RECORDS = 1_200;
const LISTS = 1_200;
const records = Array.from({ length: RECORDS }, (_, i): `0x${string}` => `0x${(i + 1).toString(16).padStart(40, '0')}`);
/** As long as an op allows, and six times as long in JSON. Two records share each. */
const tagOf = (i: number) => String(i >> 1).padStart(8, '0') + '\u0001'.repeat(200);
const ops = records.flatMap((record, i) => [follow(ANNS, record), tag(ANNS, record, tagOf(i))]);
const lists = Array.from({ length: LISTS }, (_, i) => transfer(ZERO_ADDRESS, BOB, BigInt(i + 1)));

/** The bytes of a response as they were sent, without a content coding being undone. */
function fetchRaw(url: string, headers: Record<string, string>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(Buffer.concat(chunks));
    });
    sent.on('error', reject).end();
  });
}

describe.each(engines)('a response of unusual length on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  let service: Service;
  beforeAll(async () => {
    store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, ...ops, ...lists, storageLocation(1n, locationBytes(slotOf(9n)))]));
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const urlOf = (path: string) => `${service.url}/api/v1${path}`;
  /** Reads the first bytes of a response, and returns how to read the others. */
  const begin = async (path: string) => {
    const response = await fetch(urlOf(path), { headers: { 'accept-encoding': 'identity' } });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = await reader.read();
    const rest = async () => {
      const chunks = [first.value as Uint8Array];
      for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
      return JSON.parse(Buffer.concat(chunks).toString());
    };
    return rest;
  };

  it('has all records of the list, oldest first', async () => {
    const { json, headers } = await service.get('/exportState/0');
    const following = records.map((address, i) => ({
      ...{ version: 1, record_type: 'address', data: address, address, tags: [tagOf(i)] },
      updated_at: expect.any(String),
    }));
    expect(json).toEqual({ following });
    expect(headers.has('etag')).toBe(false);
  });

  it('has all records of the list by address, with and without tags', async () => {
    const record = (address: string) => ({ version: 1, record_type: 'address', data: address });
    const tagged = records.map((address, i) => ({ ...record(address), tags: [tagOf(i)] }));
    expect((await service.get(`/users/${ANN}/list-records`)).json).toEqual({ records: tagged });
    const { json } = await service.get('/lists/0/records?includeTags=false');
    expect(json).toEqual({ records: records.map(record) });
  });

  it('has all tags of the list, by count and by address', async () => {
    const { json, headers } = await service.get(`/users/${ANN}/tags`);
    const tags = Array.from({ length: RECORDS / 2 }, (_, i) => tagOf(2 * i));
    expect(json).toEqual({
      address: ANN,
      tags,
      tagCounts: tags.map((one) => ({ tag: one, count: 2 })),
      taggedAddresses: records.map((address, i) => ({ address, tag: tagOf(i) })),
    });
    expect(headers.has('etag')).toBe(false);
  });

  it('has all addresses, latest first, and is cached if it is short enough', async () => {
    const { json, headers } = await service.get('/lists/0/allFollowingAddresses');
    expect(json).toEqual(records.toReversed());
    expect(headers.has('etag')).toBe(true);
  });

  it('has all lists of an account, ascending by number', async () => {
    const { json } = await service.get(`/users/${BOB}/lists`);
    expect(json).toEqual({ primary_list: '', lists: lists.map((_, i) => `${i + 1}`) });
  });

  it('is compressed for a client that accepts it', async () => {
    const plain = await service.get('/exportState/0');
    const compressed = await fetchRaw(urlOf('/exportState/0'), { 'accept-encoding': 'gzip' });
    expect(compressed.length).toBeLessThan(plain.text.length / 5);
    expect(gunzipSync(compressed).toString()).toBe(plain.text);
  });

  it('has the link to the next page if it is a page of long entries', async () => {
    const path = '/lists/0/following?limit=1000&sort=latest';
    const { json, headers } = await service.get(path);
    expect(json.following).toHaveLength(1_000);
    expect(headers.has('etag')).toBe(false);
    expect(headers.get('link')).toContain('rel="next"');
    const head = await service.get(path, { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('link')]).toEqual([200, '', headers.get('link')]);
  });

  it('has headers and no body for HEAD', async () => {
    const { status, headers, text } = await service.get('/exportState/0', { method: 'HEAD' });
    expect({ status, text, length: headers.get('content-length') }).toEqual({ status: 200, text: '', length: null });
  });

  it('is 404 for an unknown list', async () => {
    expect((await service.get('/exportState/999999')).json).toMatchObject({ code: 'unknown-list' });
  });

  it('is of one state of the graph, even if it changes meanwhile', async () => {
    const before = (await service.get('/exportState/0')).json;
    const rest = await begin('/exportState/0');
    const last = records.at(-1) as `0x${string}`;
    await write(store, [unfollow(ANNS, last)]);
    expect(await rest()).toEqual(before);
    expect((await service.get('/exportState/0')).json.following).toHaveLength(RECORDS - 1);
    await write(store, [follow(ANNS, last)]);
  });
});
