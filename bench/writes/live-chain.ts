import { BASE, contractOf } from '../../src/demo/lists.ts';
import { createChainCursor } from '../../src/indexer/cursor.ts';
import { createChainWriter } from '../../src/indexer/indexed-chain.ts';
import { createLogLoader } from '../../src/ingest/load-logs.ts';
import { EVENT_TOPICS } from '../../src/protocol/decode-log.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import { encodeDynamicValues } from '../../src/protocol/encode-log.ts';
import type { Hex } from '../../src/protocol/hex.ts';
import type { BlockHeader } from '../../src/rpc/check-logs.ts';
import { fenced } from '../../src/store/lease.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { LiveOp } from './draw-ops.ts';

/** Blocks on top of a data set, committed as the indexer commits them. */
export interface LiveChain {
  readonly store: Store;
  /** Applies a block of ops, and returns its number. */
  apply(ops: readonly LiveOp[]): Promise<number>;
  /** Removes all of them, as after a reorg. */
  rewind(): Promise<void>;
  close(): Promise<void>;
}

const BLOCK_SECONDS = 2;

export async function openLiveChain(path: string): Promise<LiveChain> {
  // A large WAL is reported, while the readers of the benchmark keep it from being reset.
  const onError = ({ message }: Error) => console.error(message);
  const store = await openStore({ engine: 'sqlite', path }, { threads: true, onError });
  const lock = store.createIndexerLock(Date.now);
  if (!(await lock.hold())) throw new Error(`another process indexes ${path}`);
  const write: Store['transaction'] = (work) => store.transaction((tx) => fenced(tx, lock, work));
  const loader = createLogLoader({ now: Date.now });
  const cursor = createChainCursor(store.reader, BASE);
  const writer = createChainWriter(BASE, {
    roleOf: createRoleOf(deployments.mainnet),
    loader,
    now: Date.now,
  });
  const rewind = async () => {
    const recent = await cursor.readRecent();
    const [base, last = base] = [recent[0], recent.at(-1)];
    if (base !== undefined && last !== undefined) await write((tx) => writer.rewind(tx, { last, fork: base, time: 0 }));
    await forgetChain(store);
  };
  // An interrupted run may have left its blocks.
  await rewind();
  // Blocks of a chain are refused by a demo graph.
  await markDemo(store, false);
  const base = await readTop(store);
  let parent: BlockHeader = { ...base, parentHash: '0x', logsBloom: '0x' };
  const put = async (number: number, hash: Hex, ops: readonly LiveOp[]) => {
    const time = base.time + (number - base.number) * BLOCK_SECONDS;
    const block: BlockHeader = { number, hash, parentHash: parent.hash, time, logsBloom: '0x' };
    parent = block;
    const logs = ops.map(({ slot, op }, logIndex) => ({
      chainId: BASE,
      blockNumber: number,
      blockHash: hash,
      blockTime: time,
      logIndex,
      address: contractOf('list-records', BASE),
      topics: [EVENT_TOPICS.ListOp, slot],
      data: encodeDynamicValues([op]),
    }));
    await write(async (tx) => {
      await writer.storeBlocks(tx, [{ logs, block, heads: { head: block, finalized: base.number } }]);
      if (logs.length > 0) await loader.finish(tx);
    });
  };
  // The parent of the first block: the indexer does not rewind below it.
  const first = {
    after: null,
    logs: [],
    last: parent,
    heads: { head: parent, finalized: base.number },
    rangeSize: 10_000,
  };
  await write((tx) => writer.storeRange(tx, first));
  let next = base.number;
  return {
    store,
    async apply(ops) {
      next += 1;
      await put(next, `0x${next.toString(16).padStart(64, 'b')}`, ops);
      return next;
    },
    rewind,
    async close() {
      await markDemo(store, true);
      await lock.release();
      await store.close();
    },
  };
}

/** The last block that the data set has logs of. */
async function readTop(store: Store): Promise<{ number: number; hash: Hex; time: number }> {
  const [top] = await store.transaction((tx) => tx.readBy('chains', 'chain_id', [BASE]));
  if (top === undefined) throw new Error('the data set has no logs');
  // Safe: hashes are stored unchanged.
  return { number: top.block_number, hash: top.block_hash as Hex, time: top.block_time };
}

/** A data set was never indexed, so it has no cursor. */
function forgetChain(store: Store): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.execute((db) => db.deleteFrom('recent_blocks').where('chain_id', '=', BASE));
    await tx.execute((db) => db.deleteFrom('cursors').where('chain_id', '=', BASE));
  });
}

async function markDemo(store: Store, isDemo: boolean): Promise<void> {
  await store.transaction((tx) =>
    tx.execute((db) =>
      db
        .updateTable('state')
        .set({ value: isDemo ? 1 : 0 })
        .where('key', '=', 'is_demo'),
    ),
  );
}
