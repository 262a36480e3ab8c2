import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceFixture } from '../http/support.ts';
import { ANN, ANNS, annsList, BOB, CAT, follow, logsOf, tag } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';
import type { Service } from '../support/service.ts';

/** In the order of code points, which is not that of UTF-16 units: 🔥 is U+1F525. */
const TAGS = ['\ue000', '🔥'].flatMap((start) =>
  Array.from({ length: 150 }, (_, i) => `${start}${String(i).padStart(3, '0')}`),
);
const SHOWN = { tags: TAGS.slice(0, 100), more_tags: 200 };
const EXACTLY = TAGS.slice(100, 200);
/** More rows than a piece of a stream has. */
const MANY = 3_000;

describe.each(engines)('tags of a record on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    const tags = [...TAGS.toReversed().map((one) => tag(ANNS, BOB, one)), ...EXACTLY.map((one) => tag(ANNS, CAT, one))];
    const follows = [BOB, CAT].map((account) => follow(ANNS, account));
    await loadLogs(store, logsOf([...annsList, ...follows, ...tags]));
    await loadRanks(store, 0);
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const entryOf = async (path: string, address: string) => {
    const { status, json } = await service.get(encodeURI(path));
    expect({ path, status }).toEqual({ path, status: 200 });
    const [entries = []] = Object.values(json).filter(Array.isArray);
    return entries.find((entry) => [entry.address, entry.data].includes(address));
  };

  it.each([
    [`/users/${ANN}/following`, BOB],
    ['/lists/0/following?limit=1000&include=ens', BOB],
    [`/users/${ANN}/allFollowing?sort=followers`, BOB],
    [`/users/${ANN}/searchFollowing?term=0xb`, BOB],
    [`/users/${ANN}/relationships?direction=outgoing&tag=🔥149`, BOB],
    [`/users/${ANN}/list-records`, BOB],
    ['/lists/0/records', BOB],
    [`/users/${BOB}/followers`, ANN],
    [`/users/${BOB}/followers?tags=🔥149,🔥148`, ANN],
    [`/users/${BOB}/allFollowers?limit=1000&include=ens`, ANN],
    [`/users/${BOB}/latestFollowers`, ANN],
    [`/users/${BOB}/searchFollowers?term=0xa`, ANN],
    [`/users/${BOB}/relationships?direction=incoming&tag=🔥149`, ANN],
  ])('are the first hundred by code point, and the number of the others, in %s', async (path, address) => {
    const { tags, more_tags } = await entryOf(path, address);
    expect({ tags, more_tags }).toEqual(SHOWN);
  });

  it('are the first hundred in a batch of edges', async () => {
    const { json } = await service.get('/edges/among', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([ANN, BOB]),
    });
    expect(json.edges).toEqual([{ source: ANN, target: BOB, relation: 'follow', ...SHOWN }]);
  });

  it('are all shown without a number if there are a hundred', async () => {
    const entry = await entryOf(`/users/${CAT}/followers`, ANN);
    expect(entry.tags).toEqual(EXACTLY);
    expect(entry).not.toHaveProperty('more_tags');
  });

  it('are all in exportState and in the tags lookups', async () => {
    const entry = await entryOf('/exportState/0', BOB);
    expect(entry.tags).toEqual(TAGS);
    expect(entry).not.toHaveProperty('more_tags');
    const { json } = await service.get('/lists/0/tags');
    expect(json.taggedAddresses.filter(({ address }: { address: string }) => address === BOB)).toHaveLength(300);
  });
});

describe.each(engines)('thousands of long tags on one record on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  const tags = Array.from({ length: MANY }, (_, i) => `${String(i).padStart(4, '0')}${'\u0001'.repeat(240)}`);
  beforeAll(async () => {
    const store = await fixture.open();
    await loadLogs(
      store,
      logsOf([...annsList, follow(ANNS, CAT), follow(ANNS, BOB), ...tags.map((one) => tag(ANNS, BOB, one))]),
    );
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  it('are written in pieces by exportState', async () => {
    const { json } = await service.get('/exportState/0');
    expect(json.following.map(({ address }: { address: string }) => address)).toEqual([CAT, BOB]);
    expect(json.following[1].tags).toEqual(tags);
    expect(json.following[1]).toMatchObject({ version: 1, data: BOB, updated_at: expect.any(String) });
  });

  it('make a page of one entry no longer than a hundred tags are', async () => {
    const { json, text } = await service.get(`/users/${BOB}/followers?limit=1`);
    expect(json.followers[0].more_tags).toBe(MANY - 100);
    expect(text.length).toBeLessThan(100 * 6 * 256);
  });
});
