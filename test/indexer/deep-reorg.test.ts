import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DeepReorgError } from '../../src/indexer/follow-head.ts';
import type { Store } from '../../src/store/store.ts';
import { runKith } from '../commands/run-kith.ts';
import { createRandom } from '../model/random.ts';
import { sizes } from '../support/dump.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { addressesOn, startIndexer, untilIndexed } from './harness.ts';
import { discard, expectCleanReplay, loggedReorgs, randomBlock, rankedDump, until } from './reorg-support.ts';

/** The final block is six blocks behind the head. */
const EPOCH = 3;
const FINAL = 2 * EPOCH;

describe.each(engines)('a reorganisation below the final block, indexed into $name (seed 31)', (engine) => {
  const random = createRandom(31);
  let anvil: Anvil;
  let database: TestDatabase;
  let store: Store;

  beforeAll(async () => {
    anvil = await startAnvil(8453, { epoch: EPOCH });
    await anvil.install(addressesOn(8453));
  });
  afterAll(() => anvil.stop());
  beforeEach(async () => {
    database = await engine.create();
    store = await database.open();
    await mine(FINAL + 12);
  });
  afterEach(() => discard(store, database));

  const mine = async (blocks: number) => {
    for (let i = 0; i < blocks; i++) await anvil.mine(randomBlock(random, 8453));
  };
  const start = () => startIndexer(store, [anvil], { ranksMs: 3_600_000 });
  const indexOnce = async () => {
    const indexer = start();
    await untilIndexed(store, [anvil], indexer);
    await indexer.stop();
  };

  /** All rows, and where indexing stands. */
  const allRows = async () => {
    const [cursors, recent] = await store.transaction(async (tx) => [
      await tx.query((db) => db.selectFrom('cursors').select(['chain_id', 'number', 'hash', 'time'])),
      await tx.query((db) => db.selectFrom('recent_blocks').selectAll().orderBy('number')),
    ]);
    return { ...(await rankedDump(store)), cursors, recent };
  };
  const complaint = (height: number) =>
    `chain 8453: the chain has been reorganised below block ${height - FINAL}, which was final`;

  it('stops indexing and leaves the rows as they were', async () => {
    const indexer = start();
    await untilIndexed(store, [anvil], indexer);
    const height = await anvil.blockNumber();
    const before = await allRows();
    expect(sizes(before)).toMatchObject({ cursors: 1, recent: FINAL + 1 });
    await anvil.rollBack(FINAL + 1);
    await mine(FINAL + 2);
    await expect(indexer.ended).rejects.toThrow(DeepReorgError);
    await expect(indexer.ended).rejects.toThrow(complaint(height));
    expect(await allRows()).toEqual(before);
    expect(loggedReorgs(indexer)).toEqual([]);
  });

  it('stops it every time that it is started again', async () => {
    await indexOnce();
    const height = await anvil.blockNumber();
    const before = await allRows();
    await anvil.rollBack(FINAL + 3);
    await mine(FINAL + 1);
    for (let i = 0; i < 2; i++) await expect(start().ended).rejects.toThrow(complaint(height));
    expect(await allRows()).toEqual(before);
  });

  it('stops it also when the other branch is final far above all that we have', async () => {
    await indexOnce();
    const height = await anvil.blockNumber();
    const before = await allRows();
    await anvil.rollBack(FINAL + 3);
    await mine(2 * FINAL + 20);
    await expect(start().ended).rejects.toThrow(complaint(height));
    expect(await allRows()).toEqual(before);
  });

  it('is not one yet when it goes down to the final block itself', async () => {
    const indexer = start();
    await untilIndexed(store, [anvil], indexer);
    await anvil.rollBack(FINAL);
    await mine(FINAL + 1);
    await untilIndexed(store, [anvil], indexer);
    await indexer.stop();
    expect(loggedReorgs(indexer)).toMatchObject([{ depth: FINAL }]);
    await expectCleanReplay(store, [anvil]);
  });

  it('is not one when a node is below the final block on the same branch, however long', async () => {
    await indexOnce();
    const before = await allRows();
    const height = await anvil.blockNumber();
    await anvil.rollBack(FINAL + 4);
    const indexer = start();
    const noted = async () => {
      const [cursor] = await store.transaction((tx) => tx.read('cursors', ['chain_id'], [[8453]]));
      return cursor?.head_number === height - FINAL - 4;
    };
    await until(noted, indexer);
    expect(await allRows()).toEqual(before);
    await indexer.stop();
  });

  it('ends the command with an exit code other than zero, and says why', async () => {
    await indexOnce();
    const height = await anvil.blockNumber();
    const before = await allRows();
    await anvil.rollBack(FINAL + 2);
    await mine(FINAL + 4);
    const { code, stdout, stderr } = await runKith(['index'], {
      env: {
        DATABASE_URL: database.url,
        RPC_URL_8453: anvil.url,
        START_BLOCK_8453: '0',
        POLL_INTERVAL_MS: '20',
        LOG_LEVEL: 'warn',
      },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const lines = stderr.trimEnd().split('\n');
    expect(lines.at(-1)).toMatch(new RegExp(`^kith: ${complaint(height)}; nothing has been changed, but .*database$`));
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(await allRows()).toEqual(before);
  });
});
