import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import type { EvmNode } from '../indexer/evm-node.ts';
import { cleanReplay, indexOnce, play, startChains } from '../indexer/harness.ts';
import { createRandom } from '../model/random.ts';
import { randomHistory } from '../model/random-history.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { dumpCleanReplay } from '../support/clean-replay.ts';
import { damageLogs, deleteLogs } from '../support/damage-logs.ts';
import { dump } from '../support/dump.ts';
import { historySeeds } from '../support/effort.ts';
import { engines } from '../support/engines.ts';
import { runKith } from './run-here.ts';

const LOGS = 200;
/** Times that a row is damaged before each repair. */
const ROUNDS = [1, 1, 3, 10, 50, 200];

describe.each(engines)('kith verify --repair on $name', (engine) => {
  const own = useOwnDatabase(engine);

  describe.each(historySeeds(engine.name, 6))('after random damage to logs (KITH_SEED=%i)', (seed) => {
    let nodes: EvmNode[];

    beforeAll(async () => {
      nodes = await startChains();
      await play(nodes, randomHistory(seed, { logs: LOGS }));
      // Only final blocks are compared.
      for (const node of nodes) await node.mineMany(3);
    });
    afterAll(async () => {
      for (const node of nodes) await node.stop();
    });

    const kith = (args: readonly string[], other: Readonly<Record<string, string>> = {}) => {
      const settings = nodes.flatMap(({ chainId, url }) => [
        [`RPC_URL_${chainId}`, url],
        [`START_BLOCK_${chainId}`, '0'],
        [`FINALITY_DEPTH_${chainId}`, '0'],
      ]);
      return runKith(args, { env: { DATABASE_URL: own.database.url, ...Object.fromEntries(settings), ...other } });
    };

    it('ends with the rows of a clean replay, ranks and counts included', async () => {
      const random = createRandom(seed);
      const store = await own.open();
      await indexOnce(store, nodes);
      const expected = await cleanReplay(engine, nodes);
      for (const times of ROUNDS) {
        await damageLogs(store, random, times);
        expect(await kith(['verify', '--all', '--repair'])).toMatchObject({ code: 0 });
        expect(await dump(store)).toEqual(expected);
      }
      expect(await kith(['verify', '--all'])).toMatchObject({ code: 0 });
    });

    it('ends with the rows of a clean replay after all logs and blocks were deleted', async () => {
      const store = await own.open();
      await indexOnce(store, nodes);
      await store.transaction(async (tx) => {
        for (const table of ['logs', 'blocks'] as const) await tx.execute((db) => db.deleteFrom(table));
      });
      expect(await kith(['verify', '--all', '--repair'])).toMatchObject({ code: 0 });
      expect(await dump(store)).toEqual(await cleanReplay(engine, nodes));
    });

    it('is completed by the next start of the indexer if a node fails before the end', async () => {
      const [node = expect.fail('no node'), other = expect.fail('no node')] = nodes;
      const store = await own.open();
      await indexOnce(store, nodes);
      await deleteLogs(store, createRandom(seed), 20, node.chainId);
      const nowhere = { [`RPC_URL_${other.chainId}`]: 'http://127.0.0.1:9' };
      const { code, stdout, stderr } = await kith(['verify', '--all', '--repair'], nowhere);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('E_NODE_UNAVAILABLE') });
      expect(stdout).toMatch(/^chain \d+: replaced the logs of \d+ blocks$/m);
      expect(await dump(store)).not.toEqual(await cleanReplay(engine, nodes));
      // Once this block is indexed, the indexer has started.
      await node.mineMany(1);
      await indexOnce(store, nodes);
      expect(await dump(store)).toEqual(await cleanReplay(engine, nodes));
    });

    it('ends with the graph of the logs that are left, where it checks no block', async () => {
      const store = await own.open();
      await indexOnce(store, nodes);
      const deleted = await deleteLogs(store, createRandom(seed), 20);
      expect(await kith(['verify', '--from', '100000', '--repair'])).toMatchObject({ code: 0 });
      const isLeft = ({ chainId, blockNumber, logIndex }: RawLog) =>
        !deleted.some(
          (row) =>
            row.chain_id === chainId && row.block_number === Number(blockNumber) && row.log_index === Number(logIndex),
        );
      const left = (await Promise.all(nodes.map((node) => node.logs()))).flat().filter(isLeft);
      expect(await dump(store)).toEqual(await dumpCleanReplay(engine, left));
    });
  });
});
