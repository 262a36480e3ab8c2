import { expect } from 'vitest';
import type { Deployment } from '../../src/protocol/deployments.ts';
import type { Row } from '../../src/store/schema.ts';
import { type Store, StoreUnavailableError } from '../../src/store/store.ts';
import type { Random } from '../model/random.ts';
import { randomBodies } from '../model/random-bodies.ts';
import { dump } from '../support/dump.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadRanks } from '../support/load.ts';
import type { EmittedLog, EvmNode } from './evm-node.ts';
import { addressesOn, cleanReplay, type RunningIndexer } from './harness.ts';

/** Polls until the condition holds. Fails if the indexer fails. */
export async function until(holds: () => boolean | Promise<boolean>, indexer?: RunningIndexer): Promise<void> {
  let failed: unknown;
  indexer?.ended.catch((error) => {
    failed = error;
  });
  while (!(await holds())) {
    if (failed !== undefined) throw failed;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Random logs of the contracts of a chain for one block, at least one. */
export function randomBlock(random: Random, chainId: number): EmittedLog[] {
  const known = addressesOn(chainId);
  for (;;) {
    const logs = randomBodies(random).filter(
      (body) => body.chainId === chainId && known.some((address) => address === body.address),
    );
    if (logs.length > 0) return logs;
  }
}

export async function readCursor(store: Store, chainId: number): Promise<Row<'cursors'> | undefined> {
  const [cursor] = await store.transaction((tx) => tx.read('cursors', ['chain_id'], [[chainId]]));
  return cursor;
}

/** Waits until a chain is indexed up to the head of its node, while the database may be unavailable. */
export async function untilCaughtUp(store: Store, node: EvmNode, indexer: RunningIndexer): Promise<void> {
  const height = await node.blockNumber();
  const isCaughtUp = async () => {
    try {
      return (await readCursor(store, node.chainId))?.number === height;
    } catch (error) {
      if (error instanceof StoreUnavailableError) return false;
      throw error;
    }
  };
  await until(isCaughtUp, indexer);
}

/** All rows, after computing the ranks. */
export async function rankedDump(store: Store): Promise<Record<string, unknown[]>> {
  await loadRanks(store, 0);
  return dump(store);
}

/** The rows equal those of a clean replay of the canonical logs. SQLite replays fastest. */
export async function expectCleanReplay(
  store: Store,
  nodes: readonly EvmNode[],
  deployment?: Deployment,
): Promise<void> {
  const [quickest = fail()] = engines;
  expect(await rankedDump(store)).toEqual(await cleanReplay(quickest, nodes, deployment));
}

function fail(): never {
  throw new Error('there is no engine');
}

export interface LoggedReorg {
  readonly chain: number;
  readonly depth: number;
  readonly logs: number;
}

/** The reorgs that an indexer logged. */
export function loggedReorgs(indexer: RunningIndexer): LoggedReorg[] {
  const lines = indexer.log.map((line) => JSON.parse(line) as LoggedReorg & { msg: string; level: number });
  return lines
    .filter(({ msg, level }) => msg.startsWith('reorg:') && level === 40)
    .map(({ chain, depth, logs }) => ({ chain, depth, logs }));
}

export async function discard(store: Store, database: TestDatabase): Promise<void> {
  await store.close();
  await database.drop();
}
