import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blankAccount } from '../../src/ingest/register-rows.ts';
import { parseProfile } from '../../src/names/profile.ts';
import { writeProfiles } from '../../src/names/write-profiles.ts';
import type { Row } from '../../src/store/schema.ts';
import type { Store } from '../../src/store/store.ts';
import { annsList, logsOf } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { type Recorded, recordStatements } from './record-statements.ts';
import { Stage } from './support.ts';

const ANN: Hex = `0x${'a'.repeat(40)}`;
const COUNT = 2_500;

/** Some share their second, some their popularity; every fifth is one that the account has muted. */
const followers = Array.from({ length: COUNT }, (_, i): Row<'followers'> => {
  const address = `0x${((i * 37) % COUNT).toString(16).padStart(40, '0')}`;
  const time = 1_760_000_000 + (i >> 2);
  const entry = `{"address":"${address}","updated_at":"${new Date(time * 1000).toISOString()}"}`;
  return { target: ANN, time, address, popularity: i % 7, hidden: Number(i % 5 === 4), entry };
});
const visible = followers.filter(({ hidden }) => hidden === 0);

const ORDERS = {
  latest: (a: Row<'followers'>, b: Row<'followers'>) => b.time - a.time,
  earliest: (a: Row<'followers'>, b: Row<'followers'>) => a.time - b.time,
  followers: (a: Row<'followers'>, b: Row<'followers'>) => b.popularity - a.popularity,
};
type Sort = keyof typeof ORDERS;

const sorted = (rows: readonly Row<'followers'>[], sort: Sort) =>
  rows.toSorted((a, b) => ORDERS[sort](a, b) || (a.address < b.address ? -1 : 1)).map(({ address }) => address);

/** On both sides of where it is first looked, of the middle and of the end. */
const offsetsOf = (count: number) =>
  [999, 1_000, 1_001, count / 2, count - 1_000, count - 11, count - 10, count - 1, count, count + 1].flatMap(
    (offset) => [Math.floor(offset), Math.floor(offset) + 1],
  );

describe.each(engines)('followers far from the first on $name', (engine) => {
  const stage = new Stage(engine);
  let store: Store;
  let recorded: Recorded;
  let service: Service;
  beforeAll(async () => {
    store = await stage.open();
    await loadLogs(store, logsOf(annsList));
    await store.transaction(async (tx) => {
      await writeProfiles(tx, [parseProfile({ address: ANN, name: 'ann.eth', fresh: 1 })]);
      await tx.insert('followers', followers);
      await tx.patch('accounts', ['followers', 'popularity'], [{ address: ANN, followers: COUNT, popularity: COUNT }]);
    });
    recorded = recordStatements(store);
    service = await stage.serve(recorded.store);
  });
  afterAll(() => stage.close());

  const ask = async (path: string, sort: Sort, limit: number, offset: number) => {
    const { json } = await service.get(`${path}?sort=${sort}&limit=${limit}&offset=${offset}`);
    return json.followers.map(({ address }: { address: string }) => address);
  };

  const sorts = Object.keys(ORDERS) as Sort[];
  const cases = sorts.flatMap((sort) => [
    { path: `/users/${ANN}/followers`, sort, rows: followers },
    { path: '/users/ann.eth/followers', sort, rows: followers },
    { path: '/lists/0/followers', sort, rows: visible },
  ]);

  it.each(cases)('$path?sort=$sort: the same pages as from the first', async ({ path, sort, rows }) => {
    const expected = sorted(rows, sort);
    for (const limit of [1, 10, 1_000]) {
      for (const offset of offsetsOf(rows.length)) {
        const found = await ask(path, sort, limit, offset);
        expect(found, `${limit} from ${offset}`).toEqual(expected.slice(offset, offset + limit));
      }
    }
  });

  it('are read from the end if that is nearer, where it takes no other round trip', async () => {
    const isReversed = async (offset: number) => {
      const before = recorded.asked.length;
      await ask(`/users/${ANN}/followers`, 'latest', 7, offset);
      return recorded.asked.slice(before).some(({ text }) => /order by "time" asc, "address" desc/.test(text));
    };
    expect([await isReversed(COUNT / 2 - 1), await isReversed(COUNT / 2 + 1)]).toEqual([
      false,
      engine.name === 'sqlite',
    ]);
  });

  it('are in the order of what they have now while somebody waits to be placed among them', async () => {
    const last = sorted(followers, 'followers').at(-1);
    const moved = followers.map((row) => (row.address === last ? { ...row, popularity: 9 } : row));
    const waiting = followers.filter((row) => row.address === last);
    await store.transaction(async (tx) => {
      await tx.upsert(
        'accounts',
        waiting.map(({ address, popularity }) => ({ ...blankAccount(address), popularity, followers: 9 })),
      );
      await tx.raiseVersion();
    });
    const expected = sorted(moved, 'followers');
    // Not a page that has been asked for: on PostgreSQL, the cache hears of the change a moment later.
    expect(await ask(`/users/${ANN}/followers`, 'followers', 9, COUNT - 9)).toEqual(expected.slice(-9));
  });
});
