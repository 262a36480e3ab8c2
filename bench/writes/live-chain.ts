import { BASE, contractOf } from '../../src/demo/log-writer.ts';
import { createChainCursor } from '../../src/indexer/chain-cursor.ts';
import { createChainWriter } from '../../src/indexer/chain-writer.ts';
import { createLogLoader } from '../../src/ingest/load-logs.ts';
import { encodeDynamicValues } from '../../src/protocol/abi.ts';
import { EVENT_TOPICS } from '../../src/protocol/decode-log.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import type { Hex } from '../../src/protocol/hex.ts';
import type { BlockHeader } from '../../src/rpc/chain-node.ts';
import { fenced } from '../../src/store/lease.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { LiveOp } from './draw-ops.ts';

/** Blocks on top of a data set, committed as the indexer commits them. */
export interface LiveChain {
  /** Applies a block of ops and returns the milliseconds until it is visible. */
  apply(ops: readonly LiveOp[]): Promise<number>;
  /** Removes all of them, as after a reorg. */
  rewind(): Promise<void>;
  close(): Promise<void>;
}

const BLOCK_SECONDS = 2;

export async function openLiveChain(path: string, { threads = true } = {}): Promise<LiveChain> {
  // A large WAL is reported, while the readers of the benchmark keep it from being reset.
  const onError = ({ message }: Error) => console.error(message);
  const store = await openStore({ engine: 'sqlite', path }, { threads, onError });
  const lock = store.createIndexerLock(Date.now);
  if (!(await lock.hold())) throw new Error(`another process indexes ${path}`);
  const write: Store['transaction'] = (work) => store.transaction((tx) => fenced(tx, lock, work));
  const loader = createLogLoader({ now: Date.now });
  const cursor = createChainCursor(store.reader, BASE);
  const writer = createChainWriter({
    chainId: BASE,
    roleOf: createRoleOf(deployments.mainnet),
    loader,
    now: Date.now,
  });
  const rewind = async () => {
    const [base] = await cursor.readRecent();
    if (base !== undefined) await write((tx) => writer.rewind(tx, { fork: base, time: 0 }));
    await forgetChain(store);
  };
  // An interrupted run may have left its blocks.
  await rewind();
  const base = await readTop(store);
  const put = async (number: number, hash: Hex, ops: readonly LiveOp[]) => {
    const time = base.time + (number - base.number) * BLOCK_SECONDS;
    const block: BlockHeader = { number, hash, parentHash: '0x', time, logsBloom: '0x' };
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
    // Blocks are seconds apart: the checkpoint after the one before is over when a block arrives.
    await store.transaction(async () => undefined);
    const began = performance.now();
    await write(async (tx) => {
      await writer.storeBlock(tx, { logs, block, heads: { head: block, finalized: base.number } });
      if (logs.length > 0) await loader.finish(tx);
    });
    return performance.now() - began;
  };
  // The parent of the first block: the indexer does not rewind below it.
  await put(base.number, base.hash, []);
  let next = base.number;
  return {
    apply(ops) {
      next += 1;
      return put(next, `0x${next.toString(16).padStart(64, 'b')}`, ops);
    },
    rewind,
    async close() {
      await lock.release();
      await store.close();
    },
  };
}

/** Wraps the application of a block. */
export type Around = (index: number, apply: () => Promise<number>) => Promise<number>;

/** Applies blocks, then rewinds all of them; returns how long each block took. */
export async function applyAll(
  path: string,
  blocks: readonly (readonly LiveOp[])[],
  { threads = true, around = (_, apply) => apply() }: { threads?: boolean; around?: Around } = {},
): Promise<number[]> {
  const chain = await openLiveChain(path, { threads });
  const took: number[] = [];
  try {
    for (const [i, block] of blocks.entries()) {
      took.push(await around(i, () => chain.apply(block)));
    }
  } finally {
    await chain.rewind();
    await chain.close();
  }
  return took;
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
