import { describe, expect, it } from 'vitest';
import { DeepReorgError } from '../../src/indexer/reorg.ts';
import { runKith } from '../commands/run-here.ts';
import { failureIn, spawnKith } from '../commands/run-kith.ts';
import { createRandom } from '../model/random.ts';
import { sizes } from '../support/dump.ts';
import { anyEngine } from '../support/engines.ts';
import { indexOnce, startIndexer, untilIndexed } from './harness.ts';
import { expectCleanReplay, loggedReorgs, rankedDump, until } from './reorg-support.ts';
import { useNode } from './use-node.ts';

/** The final block is six blocks behind the head. */
const EPOCH = 3;
const FINAL = 2 * EPOCH;

describe.each(anyEngine)('a reorg below the final block, indexed into $name (seed 31)', (engine) => {
  const random = createRandom(31);
  const node = useNode(engine, { epoch: EPOCH, random, blocks: FINAL + 12 });
  const overrides = { ranksMs: 3_600_000 };
  const start = () => startIndexer(node.store, [node.evm], overrides);
  const index = () => indexOnce(node.store, [node.evm], overrides);

  /** All rows, the cursor and the recent blocks. */
  const allRows = async () => {
    const [cursors, recent] = await node.store.transaction(async (tx) => [
      await tx.query((db) => db.selectFrom('cursors').select(['chain_id', 'number', 'hash', 'time'])),
      await tx.query((db) => db.selectFrom('recent_blocks').selectAll().orderBy('number')),
    ]);
    return { ...(await rankedDump(node.store)), cursors, recent };
  };
  const complaint = (height: number) => `chain 8453: reorg below block ${height - FINAL}, which was final`;

  it('stops the indexer and leaves the rows unchanged', async () => {
    const indexer = start();
    await untilIndexed(node.store, [node.evm], indexer);
    const height = await node.evm.blockNumber();
    const before = await allRows();
    expect(sizes(before)).toMatchObject({ cursors: 1, recent: FINAL + 1 });
    await node.evm.rollBack(FINAL + 1);
    await node.mine(FINAL + 2);
    await expect(indexer.ended).rejects.toThrow(DeepReorgError);
    await expect(indexer.ended).rejects.toThrow(complaint(height));
    expect(await allRows()).toEqual(before);
    expect(loggedReorgs(indexer)).toEqual([]);
  });

  it('stops the indexer after every restart', async () => {
    await index();
    const height = await node.evm.blockNumber();
    const before = await allRows();
    await node.evm.rollBack(FINAL + 3);
    await node.mine(FINAL + 1);
    for (let i = 0; i < 2; i++) await expect(start().ended).rejects.toThrow(complaint(height));
    expect(await allRows()).toEqual(before);
  });

  it('stops the indexer when the other branch is final far above the cursor', async () => {
    await index();
    const height = await node.evm.blockNumber();
    const before = await allRows();
    await node.evm.rollBack(FINAL + 3);
    await node.mine(2 * FINAL + 20);
    await expect(start().ended).rejects.toThrow(complaint(height));
    expect(await allRows()).toEqual(before);
  });

  it('is an ordinary reorg when the fork is at the final block itself', async () => {
    const indexer = start();
    await untilIndexed(node.store, [node.evm], indexer);
    await node.evm.rollBack(FINAL);
    await node.mine(FINAL + 1);
    await untilIndexed(node.store, [node.evm], indexer);
    await indexer.stop();
    expect(loggedReorgs(indexer)).toMatchObject([{ depth: FINAL }]);
    await expectCleanReplay(node.store, [node.evm]);
  });

  it('is not detected when a node lags below the final block on the same branch', async () => {
    await index();
    const before = await allRows();
    const height = await node.evm.blockNumber();
    await node.evm.rollBack(FINAL + 4);
    const indexer = start();
    const noted = async () => {
      const [cursor] = await node.store.transaction((tx) => tx.read('cursors', ['chain_id'], [[8453]]));
      return cursor?.head_number === height - FINAL - 4;
    };
    await until(noted, indexer);
    expect(await allRows()).toEqual(before);
    await indexer.stop();
  });

  it('is indexed after kith rewind has removed the blocks that it replaced', async () => {
    await index();
    const height = await node.evm.blockNumber();
    await node.evm.rollBack(FINAL + 3);
    await node.mine(FINAL + 5);
    await expect(start().ended).rejects.toThrow(complaint(height));
    const fork = height - FINAL - 3;
    const { code, stdout } = await runKith(['rewind', '--chain', '8453', '--block', `${fork}`], {
      env: { DATABASE_URL: node.database.url },
    });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^chain 8453: \d+ logs removed/) });
    await index();
    await expectCleanReplay(node.store, [node.evm]);
  });

  it('exits with code 1 and prints the reason', async () => {
    await index();
    const height = await node.evm.blockNumber();
    const before = await allRows();
    await node.evm.rollBack(FINAL + 2);
    await node.mine(FINAL + 4);
    const { code, stdout, stderr } = await spawnKith(['index'], {
      env: {
        DATABASE_URL: node.database.url,
        RPC_URL_8453: node.evm.url,
        START_BLOCK_8453: '0',
        FINALITY_DEPTH_8453: '0',
        POLL_INTERVAL_MS: '20',
        LOG_LEVEL: 'warn',
      },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(failureIn(stderr)).toMatch(
      new RegExp(`^${complaint(height)}; nothing was changed, but .*kith rewind \\[E_DEEP_REORG\\]$`),
    );
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(await allRows()).toEqual(before);
  });
});
