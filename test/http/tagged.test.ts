import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../src/store/schema.ts';
import { annsList, logsOf } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { Stage } from './support.ts';

const ANN: Hex = `0x${'a'.repeat(40)}`;
const COUNT = 60;
const TAGS = Array.from({ length: 12 }, (_, i) => `tag${i}`);

interface Tagged {
  readonly row: Row<'followers'>;
  readonly tags: readonly string[];
}

/** Some share their second, some their popularity; each has every tag whose number its own leaves a rest by. */
const tagged = Array.from({ length: COUNT }, (_, i): Tagged => {
  const address = `0x${((i * 37) % COUNT).toString(16).padStart(40, '0')}`;
  const row = { target: ANN, time: 1_760_000_000 + (i >> 2), address, popularity: i % 7, hidden: Number(i % 5 === 4) };
  return { row: { ...row, entry: JSON.stringify({ address }) }, tags: TAGS.filter((_tag, t) => i % (t + 2) === 1) };
});

const ORDERS = {
  latest: (a: Row<'followers'>, b: Row<'followers'>) => b.time - a.time,
  earliest: (a: Row<'followers'>, b: Row<'followers'>) => a.time - b.time,
  followers: (a: Row<'followers'>, b: Row<'followers'>) => b.popularity - a.popularity,
};

/** One, several that overlap, one that nobody has, the same one twice, as many as are merged, and more. */
const ASKED = [
  ['tag0'],
  ['tag0', 'tag1'],
  ['tag3', 'nobodys', 'tag7'],
  ['tag5', 'tag5'],
  ['tag1', 'tag0', 'tag1', 'tag2'],
  TAGS.slice(0, 8),
  [...TAGS.slice(0, 8), 'tag0'],
  TAGS.slice(0, 9),
  TAGS,
];

describe.each(engines)('followers by tag on $name', (engine) => {
  const stage = new Stage(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await stage.open();
    await loadLogs(store, logsOf(annsList));
    await store.transaction(async (tx) => {
      await tx.insert(
        'followers',
        tagged.map(({ row }) => row),
      );
      await tx.insert(
        'follower_tags',
        tagged.flatMap(({ row: { entry, ...key }, tags }) => tags.map((tag) => ({ ...key, tag }))),
      );
    });
    service = await stage.serve(store);
  });
  afterAll(() => stage.close());

  const questions = Object.entries(ORDERS).flatMap(([sort, compare]) =>
    ASKED.flatMap((tags) => [
      { path: `/users/${ANN}/followers`, tags, sort, compare, isByList: false },
      { path: '/lists/0/followers', tags, sort, compare, isByList: true },
    ]),
  );

  it.each(questions)(
    '$path?sort=$sort&tags=$tags: each once, on pages that neither overlap nor skip',
    async ({ path, tags, sort, compare, isByList }) => {
      const expected = tagged
        .filter((follower) => follower.tags.some((tag) => tags.includes(tag)) && !(isByList && follower.row.hidden))
        .map(({ row }) => row)
        .sort((a, b) => compare(a, b) || (a.address < b.address ? -1 : 1))
        .map(({ address }) => address);
      const limit = 7;
      for (let offset = 0; offset <= expected.length; offset += limit) {
        const { json } = await service.get(`${path}?sort=${sort}&tags=${tags}&limit=${limit}&offset=${offset}`);
        const addresses = json.followers.map(({ address }: { address: string }) => address);
        expect(addresses, `from ${offset}`).toEqual(expected.slice(offset, offset + limit));
      }
    },
  );
});
