import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readIncomplete } from '../../src/store/incomplete-contracts.ts';
import { createRandom } from '../model/random.ts';
import { useOwnDatabase, withStore } from '../store/own-database.ts';
import { queryDatabase } from '../store/query-database.ts';
import { engines } from '../support/engines.ts';
import { waitFor } from '../support/wait-for.ts';
import { ADDED, CHAIN, mixedBlock, untilComplete, withAdded } from './added-contracts-support.ts';
import { type EvmNode, startNode } from './evm-node.ts';
import { addressesOn, indexOnce } from './harness.ts';
import { startNodeProxy } from './node-proxy.ts';
import { expectCleanReplay } from './reorg-support.ts';
import { indexingEnv, startProcess } from './simulation-process.ts';

const BLOCKS = 160;
/** Parts of a history end after 64 ranges. */
const MAX_RANGE = 2;
const HELD_FROM = 140;

describe.each(engines)(
  'an indexer into $name that is killed while it reads the history of an added contract',
  (engine) => {
    const own = useOwnDatabase({ create: engine.createOwn });
    let node: EvmNode;

    beforeEach(async () => {
      node = await startNode(CHAIN);
      await node.install([...addressesOn(CHAIN), ADDED]);
      const random = createRandom(50);
      for (let i = 0; i < BLOCKS; i++) await node.mine(i % 8 === 0 ? mixedBlock(random) : []);
    });
    afterEach(() => node.stop());

    it('goes on where it was, and ends with the tables of a clean replay', async () => {
      await withStore(own.database, async (store) => {
        await indexOnce(store, [node]);
        const first: number[] = [];
        let isHeld = true;
        const { url, stop } = await startNodeProxy(node.url, async (call, forward) => {
          const { address, fromBlock, toBlock } = (call.params[0] ?? {}) as Record<string, string>;
          if (call.method !== 'eth_getLogs' || address?.length !== 1) return forward(call);
          const [from, to] = [Number(fromBlock), Number(toBlock)];
          if (to - from >= MAX_RANGE) throw new Error(`eth_getLogs is limited to ${MAX_RANGE} blocks range`);
          first.push(from);
          if (isHeld && from >= HELD_FROM) await new Promise(() => undefined);
          return forward(call);
        });
        try {
          const env = { ...indexingEnv(own.database.url, [node], () => url), LIST_RECORDS_8453: `${ADDED}@1` };
          const killed = startProcess('index', env);
          const read = async () => (await readIncomplete(store.reader))[0]?.number ?? 0;
          await waitFor(async () => expect(await read()).toBeGreaterThan(0));
          await killed.kill();
          const kept = await read();
          await queryDatabase(own.database, 'delete from leases');
          isHeld = false;
          first.length = 0;
          const kith = startProcess('index', env);
          await node.mineMany(2);
          await untilComplete(store, [node], kith);
          await kith.stop();
          expect(Math.min(...first)).toBe(kept + 1);
          await expectCleanReplay(store, [node], withAdded);
        } finally {
          await stop();
        }
      });
    });
  },
);
