import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backCode, RELATION_CODES } from '../../src/graph/relation.ts';
import type { Address } from '../../src/protocol/hex.ts';
import { Ids, tagKey } from '../../src/rows/ids.ts';
import { ServiceFixture } from '../http/support.ts';
import { ANN, annsList, logsOf } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';

const COUNT = 60;
const TAGS = Array.from({ length: 12 }, (_, i) => `tag${i}`);

interface Tagged {
  readonly address: Address;
  readonly time: number;
  readonly popularity: number;
  readonly isHidden: boolean;
  readonly tags: readonly string[];
}

/** Followers share block times, popularities and tags: follower i has the tag t if i mod (t + 2) is 1. */
const tagged = Array.from({ length: COUNT }, (_, i): Tagged => {
  const address: Address = `0x${((i * 37) % COUNT).toString(16).padStart(40, '0')}`;
  const order = { time: 1_760_000_000 + (i >> 2), popularity: i % 7 };
  return { address, ...order, isHidden: i % 5 === 4, tags: TAGS.filter((_tag, t) => i % (t + 2) === 1) };
});

const SORTS = ['latest', 'earliest', 'followers'] as const;

function sorted(rows: readonly Tagged[], sort: (typeof SORTS)[number]): string[] {
  const byAddress = rows.toSorted((a, b) => (a.address < b.address ? -1 : 1));
  const key = sort === 'followers' ? 'popularity' : 'time';
  const addresses = byAddress.toSorted((a, b) => b[key] - a[key]).map(({ address }) => address);
  return sort === 'earliest' ? addresses.toReversed() : addresses;
}

/** One tag, overlapping ones, an unused one, duplicates, and many. */
const TAG_LISTS = [
  ['tag0'],
  ['tag0', 'tag1'],
  ['tag3', 'unused', 'tag7'],
  ['tag5', 'tag5'],
  ['tag1', 'tag0', 'tag1', 'tag2'],
  TAGS.slice(0, 8),
  [...TAGS.slice(0, 8), 'tag0'],
  TAGS.slice(0, 9),
  TAGS,
];

describe.each(engines)('followers with tags on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    await loadLogs(store, logsOf(annsList));
    await store.transaction(async (tx) => {
      const ids = new Ids();
      await ids.assign(tx, [ANN, ...tagged.map(({ address }) => address), ...TAGS.map(tagKey)]);
      const target = ids.requireId(ANN);
      const edges = tagged.map(({ address, isHidden, tags, ...order }) => ({
        tags,
        row: {
          target,
          ...order,
          address_key: address,
          source: ids.requireId(address),
          relation: RELATION_CODES.follow,
          back: backCode(isHidden ? 'block' : null),
        },
      }));
      await tx.insert(
        'edges',
        edges.map(({ row, tags }) => ({ ...row, tagged: Number(tags.length > 0) })),
      );
      await tx.insert(
        'edge_tags',
        edges.flatMap(({ row, tags }) => tags.map((tag) => ({ ...row, tag: ids.requireId(tagKey(tag)) }))),
      );
    });
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const requests = SORTS.flatMap((sort) =>
    TAG_LISTS.flatMap((tags) => [
      { path: `/users/${ANN}/followers`, tags, sort, isByList: false },
      { path: '/lists/0/followers', tags, sort, isByList: true },
    ]),
  );

  it.each(requests)(
    'returns each follower once and in order on the pages of $path?sort=$sort&tags=$tags',
    async ({ path, tags, sort, isByList }) => {
      const matching = tagged.filter(
        (follower) => follower.tags.some((tag) => tags.includes(tag)) && !(isByList && follower.isHidden),
      );
      const expected = sorted(matching, sort);
      const limit = 7;
      for (let offset = 0; offset <= expected.length; offset += limit) {
        const { json } = await service.get(`${path}?sort=${sort}&tags=${tags}&limit=${limit}&offset=${offset}`);
        const addresses = json.followers.map(({ address }: { address: string }) => address);
        expect(addresses, `offset ${offset}`).toEqual(expected.slice(offset, offset + limit));
      }
    },
  );
});
