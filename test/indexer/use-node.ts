import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import type { Random } from '../model/random.ts';
import type { Engine, TestDatabase } from '../support/engines.ts';
import { type EvmNode, startNode } from './evm-node.ts';
import { addressesOn } from './harness.ts';
import { discard, randomBlock } from './reorg-support.ts';

const CHAIN = 8453;

export interface UsedNode {
  evm: EvmNode;
  database: TestDatabase;
  store: Store;
  mine(blocks: number): Promise<void>;
}

/** One node for all tests of the suite, and for each test an empty database and some more blocks of logs. */
export function useNode(engine: Engine, options: { epoch: number; random: Random; blocks: number }): UsedNode {
  // Safe: `beforeAll` and `beforeEach` set the other fields.
  const used = {
    async mine(blocks) {
      for (let i = 0; i < blocks; i++) await used.evm.mine(randomBlock(options.random, CHAIN));
    },
  } as UsedNode;
  beforeAll(async () => {
    used.evm = await startNode(CHAIN, { epoch: options.epoch });
    await used.evm.install(addressesOn(CHAIN));
  });
  afterAll(() => used.evm.stop());
  beforeEach(async () => {
    used.database = await engine.create();
    used.store = await used.database.open();
    await used.mine(options.blocks);
  });
  afterEach(() => discard(used.store, used.database));
  return used;
}
