import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backCode, RELATION_CODES } from '../../src/graph/relation.ts';
import { parseProfile } from '../../src/names/profile.ts';
import { writeProfiles } from '../../src/names/write-profiles.ts';
import type { Address } from '../../src/protocol/hex.ts';
import { Ids } from '../../src/rows/ids.ts';
import { ServiceFixture } from '../http/support.ts';
import { ANN, annsList, logsOf } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';

const COUNT = 2_500;

/** A follower of ANN. */
interface TestFollower {
  readonly address: Address;
  readonly time: number;
  readonly popularity: number;
  readonly isHidden: boolean;
}

/**
 * Followers share block times, in groups of up to nine, and popularities; half of them share the prefix of the address.
 * The account has muted every fifth.
 */
const followers = Array.from({ length: COUNT }, (_, i): TestFollower => {
  const digits = ((i * 37) % COUNT).toString(16).padStart(i % 2 === 0 ? 40 : 5, '0');
  const time = 1_760_000_000 + Math.floor(i / (1 + (i % 9)));
  return { address: `0x${digits.padEnd(40, '0')}`, time, popularity: i % 7, isHidden: i % 5 === 4 };
});
const visible = followers.filter(({ isHidden }) => !isHidden);

const SORTS = ['latest', 'earliest', 'followers'] as const;
type Sort = (typeof SORTS)[number];

function sorted(rows: readonly TestFollower[], sort: Sort): string[] {
  const byAddress = rows.toSorted((a, b) => (a.address < b.address ? -1 : 1));
  const key = sort === 'followers' ? 'popularity' : 'time';
  const addresses = byAddress.toSorted((a, b) => b[key] - a[key]).map(({ address }) => address);
  return sort === 'earliest' ? addresses.toReversed() : addresses;
}

/** Around the first deep offset, the middle and the end. */
const offsetsOf = (count: number) =>
  [0, 1, 999, 1_000, 1_001, count / 2, count - 1_000, count - 11, count - 10, count - 1, count, count + 1].flatMap(
    (offset) => [Math.floor(offset), Math.floor(offset) + 1],
  );

describe.each(engines)('followers on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    await loadLogs(store, logsOf(annsList));
    await store.transaction(async (tx) => {
      await writeProfiles(tx, [parseProfile({ address: ANN, name: 'ann.eth', fresh: 1 })]);
      const ids = new Ids();
      await ids.assign(tx, [ANN, ...followers.map(({ address }) => address)]);
      const target = ids.requireId(ANN);
      await tx.insert(
        'edges',
        followers.map(({ address, isHidden, time, popularity }) => {
          const edge = { target, time, address_key: address, source: ids.requireId(address), popularity };
          return { ...edge, relation: RELATION_CODES.follow, back: backCode(isHidden ? 'mute' : null), tagged: 0 };
        }),
      );
    });
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const fetchPage = async (path: string, sort: Sort, limit: number, offset: number) => {
    const { json } = await service.get(`${path}?sort=${sort}&limit=${limit}&offset=${offset}`);
    return json.followers.map(({ address }: { address: string }) => address);
  };

  const cases = SORTS.flatMap((sort) => [
    { path: `/users/${ANN}/followers`, sort, rows: followers },
    { path: '/users/ann.eth/followers', sort, rows: followers },
    { path: '/lists/0/followers', sort, rows: visible },
  ]);

  it.each(cases)('returns every page of $path?sort=$sort in order', async ({ path, sort, rows }) => {
    const expected = sorted(rows, sort);
    for (const limit of [1, 10, 1_000]) {
      for (const offset of offsetsOf(rows.length)) {
        const page = await fetchPage(path, sort, limit, offset);
        expect(page, `limit ${limit}, offset ${offset}`).toEqual(expected.slice(offset, offset + limit));
      }
    }
  });

  it.each(SORTS)('never overlaps or skips between pages of sort=%s', async (sort) => {
    const pages: string[] = [];
    for (let offset = 0; offset < COUNT; offset += 613) {
      pages.push(...(await fetchPage(`/users/${ANN}/followers`, sort, 613, offset)));
    }
    expect(pages).toEqual(sorted(followers, sort));
  });

  it('returns 404 for an unknown list or name at a deep offset', async () => {
    for (const path of ['/lists/99/followers', '/users/nobody.eth/followers']) {
      expect((await service.get(`${path}?offset=5000`)).status).toBe(404);
    }
  });
});
