import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { type Store, StoreUnavailableError } from '../../src/store/store.ts';
import { createDoor, type Door } from '../http/door.ts';
import { randomHistory } from '../model/random-history.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { addressesOn, play, type RunningIndexer, startIndexer, untilIndexed } from './harness.ts';
import { expectCleanReplay } from './reorg-support.ts';

const WAIT = { timeout: 60_000 };

/** Null while the database is away. */
async function readCount(store: Store): Promise<number | null> {
  try {
    const [lists] = await store.transaction((tx) => tx.read('state', ['key'], [['lists']]));
    return lists?.value ?? 0;
  } catch (error) {
    if (error instanceof StoreUnavailableError) return null;
    throw error;
  }
}

// A file on the same machine does not go away like this: the engine across a network does.
describe.each(engines.filter(({ name }) => name === 'postgres'))('an indexer whose $name goes away', (engine) => {
  let database: TestDatabase;
  let door: Door;
  let store: Store;
  let anvil: Anvil;
  let indexer: RunningIndexer;
  beforeEach(async () => {
    database = await engine.create();
    door = await createDoor(database.url);
    store = await openStore({ engine: 'postgres', url: door.url, poolSize: 4 }, { onError: () => undefined });
    anvil = await startAnvil(8453);
    await anvil.install(addressesOn(8453));
    indexer = startIndexer(store, [anvil]);
  });
  afterEach(async () => {
    await indexer.stop();
    await store.close();
    await door.shut();
    await database.drop();
    await anvil.stop();
  });

  it('fails a transaction in which the connection is lost, and nothing else', async () => {
    const lost = store.transaction(async (tx) => {
      await tx.count({ lists: 1 });
      await door.shut();
      await tx.count({ lists: 1 });
    });
    await expect(lost).rejects.toThrow(StoreUnavailableError);
    await door.open();
    await expect.poll(() => readCount(store), WAIT).toBe(0);
  });

  it('fails a transaction whose connection is lost while nobody asks it anything', async () => {
    const lost = store.transaction(async (tx) => {
      await door.shut();
      await new Promise((resolve) => setImmediate(resolve));
      await tx.count({ lists: 1 });
    });
    await expect(lost).rejects.toThrow(StoreUnavailableError);
    await door.open();
    await expect.poll(() => readCount(store), WAIT).toBe(0);
  });

  it('waits, and goes on when it is back', async () => {
    const history = randomHistory(3);
    await play([anvil], history.slice(0, 60));
    await anvil.mineMany(3);
    await untilIndexed(store, [anvil], indexer);
    await door.shut();
    await expect.poll(() => indexer.log.join(''), WAIT).toContain('database unavailable, retrying');
    await play([anvil], history.slice(60, 120));
    await door.open();
    await untilIndexed(store, [anvil], indexer);
    await expectCleanReplay(store, [anvil]);
  });
});
