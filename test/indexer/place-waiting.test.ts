import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlacer } from '../../src/indexer/place-waiting.ts';
import { LockLostError } from '../../src/store/lease.ts';
import type { Store } from '../../src/store/store.ts';
import { createRandom } from '../model/random.ts';
import { randomHistory } from '../model/random-history.ts';
import { dumpCleanReplay } from '../support/clean-replay.ts';
import { displaceAccounts } from '../support/displace.ts';
import { dump } from '../support/dump.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { countWaiting, loadLogs, loadRanks } from '../support/load.ts';
import { startIndexer, untilIndexed } from './harness.ts';

const history = randomHistory(7, { logs: 300 });

class Ended extends Error {}

/** Does these things in one pause after the other, and then ends. */
function pauses(...steps: (() => unknown)[]): () => Promise<void> {
  const left = [...steps];
  return async () => {
    const step = left.shift();
    if (step === undefined) throw new Ended();
    await step();
  };
}
const nothing = () => undefined;

describe.each(engines)('accounts that wait to be placed on $name', (engine) => {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await engine.create();
    store = await database.open();
    await loadLogs(store, history);
    await loadRanks(store, 0);
    await displaceAccounts(store, createRandom(1));
    expect(await countWaiting(store)).toBeGreaterThan(0);
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  it('are placed by the next indexer, which changes no answer', async () => {
    const before = await readVersions(store);
    const indexer = startIndexer(store, [], { ranksMs: 1 });
    await untilIndexed(store, [], indexer);
    await indexer.stop();
    expect(await countWaiting(store)).toBe(0);
    expect(await readVersions(store)).toEqual(before);
    expect(await dump(store)).toEqual(await dumpCleanReplay(engine, history));
  });

  it('are placed until nobody waits, and again when somebody may', async () => {
    let writes = 0;
    const seen: [writes: number, waiting: number][] = [];
    const look = async () => seen.push([writes, await countWaiting(store)]);
    const change = async () => {
      await displaceAccounts(store, createRandom(2));
      expect(await countWaiting(store)).toBeGreaterThan(0);
      placer.wake();
    };
    const placer = createPlacer({
      write: (work) => {
        writes += 1;
        return store.transaction(work);
      },
      sleep: pauses(nothing, look, look, change, look),
      isLoading: () => false,
    });
    await expect(placer.run()).rejects.toThrow(Ended);
    const [first = [], second, third = []] = seen;
    expect(first[1]).toBe(0);
    expect(second).toEqual(first);
    expect(third[0]).toBeGreaterThan(first[0] ?? Number.NaN);
    expect(third[1]).toBe(0);
  });

  it('are left while the bulk of a chain comes in', async () => {
    const waiting = await countWaiting(store);
    const placer = createPlacer({ write: store.transaction, sleep: pauses(nothing, nothing), isLoading: () => true });
    await expect(placer.run()).rejects.toThrow(Ended);
    expect(await countWaiting(store)).toBe(waiting);
  });

  it('are left to whoever has taken over indexing', async () => {
    const waiting = await countWaiting(store);
    const lock = store.createIndexerLock(Date.now);
    expect(await lock.hold()).toBe(true);
    await store.transaction((tx) => tx.upsert('leases', [{ name: 'indexer', holder: 'another', expires_at: 0 }]));
    const placer = createPlacer({
      write: (work) =>
        store.transaction(async (tx) => {
          await lock.fence(tx);
          return work(tx);
        }),
      sleep: pauses(nothing, nothing),
      isLoading: () => false,
    });
    await expect(placer.run()).rejects.toThrow(LockLostError);
    expect(await countWaiting(store)).toBe(waiting);
    await lock.release();
  });
});

async function readVersions(store: Store): Promise<unknown> {
  return store.transaction((tx) => tx.read('state', ['key'], [['data_version'], ['graph_version']]));
}
