import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { type Store, StoreUnavailableError } from '../../src/store/store.ts';
import { createTcpProxy, type TcpProxy } from '../http/tcp-proxy.ts';
import { randomHistory } from '../model/random-history.ts';
import { queryDatabase } from '../store/query-database.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { type EvmNode, startNode } from './evm-node.ts';
import { addressesOn, play, type RunningIndexer, startIndexer, untilIndexed } from './harness.ts';
import { expectCleanReplay, untilCaughtUp } from './reorg-support.ts';

/** Null while the database is unreachable. */
async function readCount(store: Store): Promise<number | null> {
  try {
    const [lists] = await store.transaction((tx) => tx.read('state', ['key'], [['lists']]));
    return lists?.value ?? 0;
  } catch (error) {
    if (error instanceof StoreUnavailableError) return null;
    throw error;
  }
}

// Only PostgreSQL has a connection that can be lost.
describe.each(engines.filter(({ name }) => name === 'postgres'))(
  'an indexer that loses its connection to $name',
  (engine) => {
    let database: TestDatabase;
    let proxy: TcpProxy;
    let store: Store;
    let node: EvmNode;
    let indexer: RunningIndexer;
    beforeEach(async () => {
      database = await engine.createOwn();
      proxy = await createTcpProxy(database.url);
      store = await openStore({ engine: 'postgres', url: proxy.url, poolSize: 4 }, { onError: () => undefined });
      node = await startNode(8453);
      await node.install(addressesOn(8453));
      indexer = startIndexer(store, [node]);
    });
    afterEach(async () => {
      await indexer.stop();
      await store.close();
      await proxy.disconnect();
      await database.drop();
      await node.stop();
    });

    it('fails the transaction during which the connection is lost, and no later one', async () => {
      const lost = store.transaction(async (tx) => {
        await tx.count({ lists: 1 });
        await proxy.disconnect();
        await tx.count({ lists: 1 });
      });
      await expect(lost).rejects.toThrow(StoreUnavailableError);
      await proxy.reconnect();
      await expect.poll(() => readCount(store)).toBe(0);
    });

    it('fails a transaction whose connection is lost between two queries', async () => {
      const lost = store.transaction(async (tx) => {
        await proxy.disconnect();
        await new Promise((resolve) => setImmediate(resolve));
        await tx.count({ lists: 1 });
      });
      await expect(lost).rejects.toThrow(StoreUnavailableError);
      await proxy.reconnect();
      await expect.poll(() => readCount(store)).toBe(0);
    });

    it('retries, and resumes when the database is reachable again', async () => {
      const history = randomHistory(3);
      await play([node], history.slice(0, 60));
      await node.mineMany(3);
      await untilIndexed(store, [node], indexer);
      await proxy.disconnect();
      await expect.poll(() => indexer.log.join('')).toContain('database unavailable, retrying');
      await play([node], history.slice(60, 120));
      await proxy.reconnect();
      await untilIndexed(store, [node], indexer);
      await expectCleanReplay(store, [node]);
    });

    it('retries while the server is read-only, as a standby that is being promoted is', async () => {
      const history = randomHistory(4);
      await play([node], history.slice(0, 60));
      await untilIndexed(store, [node], indexer);
      const name = new URL(database.url).pathname.slice(1);
      const setReadOnly = async (value: string) => {
        await queryDatabase(
          { url: inject('postgresUrl') },
          `alter database ${name} set default_transaction_read_only = ${value}`,
        );
        // The setting holds for new connections. That of the lock stays.
        await queryDatabase(
          database,
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'kith' and datname = current_database()`,
        );
      };
      await setReadOnly('on');
      await play([node], history.slice(60, 120));
      await expect.poll(() => indexer.log.join('')).toContain('the database is read-only');
      await setReadOnly('off');
      await untilCaughtUp(store, node, indexer);
      await expectCleanReplay(store, [node]);
    });
  },
);
