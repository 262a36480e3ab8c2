import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_PROFILE_BYTES } from '../../src/names/profile.ts';
import type { Address } from '../../src/protocol/hex.ts';
import type { Statement } from '../../src/store/statement.ts';
import type { Reader, Store } from '../../src/store/store.ts';
import { ANNS, annsList, BOB, follow, logsOf } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { ServiceFixture } from './support.ts';

const accounts = Array.from({ length: 60 }, (_, i): Address => `0x${(i + 1).toString(16).padStart(40, '0')}`);
const PIECE = 64 * 1024;
const PATH = '/lists/0/following';

/** What the lookups of a store read, and how many bytes of profiles they use in each turn of the event loop. */
interface Usage {
  readonly store: Store;
  short: number;
  heavy: number;
  bytesOfTurns: Map<number, number>;
}

/** Each text is used once, when its entry is made. */
function observe(store: Store): Usage {
  let turn = 0;
  const count = () => {
    turn += 1;
    setImmediate(count).unref();
  };
  count();
  const observed = (reader: Reader, counter: 'short' | 'heavy'): Reader => ({
    dialect: reader.dialect,
    async all<P extends object, R>(statement: Statement<P, R>, params: P) {
      usage[counter] += 1;
      const rows = await reader.all(statement, params);
      for (const row of rows as { ens?: string }[]) {
        const { ens = '' } = row;
        const get = () => {
          usage.bytesOfTurns.set(turn, (usage.bytesOfTurns.get(turn) ?? 0) + (ens?.length ?? 0));
          return ens;
        };
        Object.defineProperty(row, 'ens', { get, enumerable: true });
      }
      return rows;
    },
  });
  const usage: Usage = {
    store: {
      ...store,
      short: observed(store.short, 'short'),
      heavy: { ...store.heavy, reader: observed(store.heavy.reader, 'heavy') },
    },
    ...{ short: 0, heavy: 0, bytesOfTurns: new Map() },
  };
  return usage;
}

describe.each(engines)('a page of long profiles on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let usage: Usage;
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    const follows = [...accounts, BOB].map((account) => follow(ANNS, account));
    await loadLogs(store, logsOf([...annsList, ...follows]));
    const profiles = accounts.map((address, i) => ({
      ...{ address, name: `long${i}.eth`, avatar: 'x'.repeat(MAX_PROFILE_BYTES - 1_000), fresh: 1 },
    }));
    await loadProfiles(store, profiles);
    await loadRanks(store, 0);
    usage = observe(store);
    service = await fixture.serve(usage.store, { cacheBytes: 0 });
  });
  beforeEach(() => Object.assign(usage, { short: 0, heavy: 0, bytesOfTurns: new Map() }));
  afterAll(() => fixture.close());

  const read = async (query: string) => {
    const { status, json, headers } = await service.get(`${PATH}?${query}`);
    expect({ query, status }).toEqual({ query, status: 200 });
    const shown: string[] = json.following.map(({ address }: { address: string }) => address);
    return { shown, headers, json };
  };

  it.each([50, 1_000])(
    'of %i is made from at most a piece and one profile per turn of the event loop',
    async (limit) => {
      const { shown, json } = await read(`limit=${limit}&include=ens&sort=earliest`);
      expect(shown).toEqual([...accounts, BOB].slice(0, limit));
      expect(json.following[0].ens.avatar).toHaveLength(MAX_PROFILE_BYTES - 1_000);
      const bytes = [...usage.bytesOfTurns.values()];
      expect(bytes.reduce((sum, part) => sum + part, 0)).toBeGreaterThan(shown.slice(0, 60).length * 15_000);
      expect(Math.max(...bytes)).toBeLessThanOrEqual(PIECE + MAX_PROFILE_BYTES);
    },
  );

  it('is read again beside the event loop if it is longer than a short result', async () => {
    await read('limit=100&include=ens');
    expect(usage).toMatchObject({ short: 1, heavy: 1 });
  });

  it('is read once if it is short', async () => {
    await read('limit=10&include=ens');
    await read('limit=100');
    expect(usage).toMatchObject({ short: 2, heavy: 0 });
  });

  it('has the link to the next page', async () => {
    const { shown, headers } = await read('limit=50&include=ens&sort=earliest');
    const [, query = ''] = /^<[^?>]*\?([^>]*)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
    const rest = await read(query);
    expect([...shown, ...rest.shown]).toEqual([...accounts, BOB]);
    expect(rest.headers.get('link')).toBeNull();
  });

  it('is the same as the short pages of the same entries', async () => {
    const { json } = await read('limit=61&include=ens&sort=earliest');
    const short = [];
    for (let offset = 0; offset < 61; offset += 10) {
      short.push(...(await read(`limit=10&include=ens&sort=earliest&offset=${offset}`)).json.following);
    }
    expect(json.following).toEqual(short);
  });
});
