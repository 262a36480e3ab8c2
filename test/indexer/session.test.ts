import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { createRandom } from '../model/random.ts';
import { anyEngine } from '../support/engines.ts';
import { startIndexer, untilIndexed } from './harness.ts';
import { until } from './reorg-support.ts';
import { useNode } from './use-node.ts';

describe.each(anyEngine)('a session of an indexer into $name (seed 92)', (engine) => {
  const node = useNode(engine, { epoch: 3, random: createRandom(92), blocks: 3 });

  it('renews the indexer lock while a write takes long', async () => {
    let renewals = 0;
    let isHeld = false;
    let hold: Promise<void> | undefined;
    let release = () => {};
    const store: Store = {
      ...node.store,
      transaction: (work) =>
        node.store.transaction(async (tx) => {
          const result = await work(tx);
          isHeld = hold !== undefined;
          await hold;
          return result;
        }),
      createIndexerLock: (monotonic) => ({
        ...node.store.createIndexerLock(monotonic),
        keep: async () => void (renewals += 1),
      }),
    };
    const indexer = startIndexer(store, [node.evm]);
    try {
      await untilIndexed(node.store, [node.evm], indexer);
      hold = new Promise((resolve) => {
        release = resolve;
      });
      await node.mine(1);
      await until(() => isHeld, indexer);
      const before = renewals;
      await until(() => renewals > before + 1, indexer);
      hold = undefined;
      release();
      await untilIndexed(node.store, [node.evm], indexer);
      expect(renewals).toBeGreaterThan(before + 1);
    } finally {
      release();
      await indexer.stop();
    }
  });
});
