import { afterEach, beforeEach, describe, inject, it } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createRandom } from '../model/random.ts';
import { queryDatabase } from '../store/query-database.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { type EvmNode, startNode } from './evm-node.ts';
import { addressesOn, type RunningIndexer, startIndexer, untilIndexed } from './harness.ts';
import { type NodeProxy, startNodeProxy } from './node-proxy.ts';
import { expectCleanReplay, randomBlock, until, untilCaughtUp } from './reorg-support.ts';

const CHAIN = 8453;

const onServer = (text: string) => queryDatabase({ url: inject('postgresUrl') }, text);

/** Runs a statement that needs a database without connections. New ones wait for it; those that exist are ended. */
async function withoutConnections(name: string, text: string): Promise<void> {
  let isRunning = true;
  const running = onServer(text).finally(() => {
    isRunning = false;
  });
  while (isRunning) await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  await running;
}

// Only PostgreSQL has a server that can be replaced by one that lacks commits.
describe.each(engines.filter(({ name }) => name === 'postgres'))(
  'an indexer into $name that is replaced by an older copy of itself (seed 92)',
  (engine) => {
    const random = createRandom(92);
    let database: TestDatabase;
    let store: Store;
    let node: EvmNode;
    let proxy: NodeProxy;
    let indexer: RunningIndexer;
    /** What the node waits for before it answers `eth_getLogs`. */
    let hold: Promise<void> | undefined;
    let release = () => {};
    let held = 0;

    beforeEach(async () => {
      held = 0;
      database = await engine.createOwn();
      store = await openStore({ engine: 'postgres', url: database.url, poolSize: 4 }, { onError: () => undefined });
      node = await startNode(CHAIN, { epoch: 2 });
      await node.install(addressesOn(CHAIN));
      proxy = await startNodeProxy(node.url, async (call, forward) => {
        if (call.method === 'eth_getLogs' && hold !== undefined) {
          held += 1;
          await hold;
        }
        return forward(call);
      });
      indexer = startIndexer(store, [node], { rpcUrls: new Map([[CHAIN, [proxy.url]]]), rpcTimeoutMs: 60_000 });
    });
    afterEach(async () => {
      release();
      await indexer.stop();
      await store.close();
      await proxy.stop();
      await node.stop();
      await database.drop();
    });

    const mine = async (blocks: number) => {
      for (let i = 0; i < blocks; i++) await node.mine(randomBlock(random, CHAIN));
    };

    it.each([
      ['at the head', 2],
      ['in a backfill', 30],
    ])('leaves out no block %s', async (_, blocks) => {
      await mine(10);
      await untilIndexed(store, [node], indexer);
      const name = new URL(database.url).pathname.slice(1);
      const [older, newer] = [`${name}_older`, `${name}_newer`];
      await withoutConnections(name, `create database ${older} template ${name}`);
      await mine(12);
      await untilCaughtUp(store, node, indexer);
      hold = new Promise((resolve) => {
        release = resolve;
      });
      await mine(blocks);
      await until(() => held > 0, indexer);
      await withoutConnections(
        name,
        `alter database ${name} rename to ${newer}; alter database ${older} rename to ${name}`,
      );
      hold = undefined;
      release();
      await untilCaughtUp(store, node, indexer);
      await expectCleanReplay(store, [node]);
      await onServer(`drop database ${newer} with (force)`);
    });
  },
);
