import pg from 'pg';
import { expect, inject } from 'vitest';
import type { Row } from '../../src/store/schema.ts';
import type { Store } from '../../src/store/store.ts';
import type { Random } from '../model/random.ts';
import { randomBodies } from '../model/random-bodies.ts';
import { dump } from '../support/dump.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadRanks } from '../support/load.ts';
import type { Anvil, Saying } from './anvil.ts';
import { addressesOn, cleanReplay, type RunningIndexer } from './harness.ts';

/** Looks until something holds; fails with the indexer when it is watched and fails. */
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

/** One block's worth of random sayings that a chain's contracts can say; never none. */
export function randomBlock(random: Random, chainId: number): Saying[] {
  const known = addressesOn(chainId);
  for (;;) {
    const sayings = randomBodies(random).filter(
      (body) => body.chainId === chainId && known.some((address) => address === body.address),
    );
    if (sayings.length > 0) return sayings;
  }
}

export async function readCursor(store: Store, chainId: number): Promise<Row<'cursors'> | undefined> {
  const [cursor] = await store.transaction((tx) => tx.read('cursors', ['chain_id'], [[chainId]]));
  return cursor;
}

/** The rows as they stand, with ranks that fit them. */
export async function rankedDump(store: Store): Promise<Record<string, unknown[]>> {
  await loadRanks(store, 0);
  return dump(store);
}

/** The rows are what the nodes' logs, as they stand now, make in an empty database, of whichever engine. */
export async function expectCleanReplay(store: Store, anvils: readonly Anvil[]): Promise<void> {
  const [quickest = fail()] = engines;
  expect(await rankedDump(store)).toEqual(await cleanReplay(quickest, anvils));
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

/** Closes a store and drops its database. */
export async function discard(store: Store, database: TestDatabase): Promise<void> {
  await store.close();
  // A pool tells its end before its connections are gone, and one that is cut off is reported as an error.
  if (store.engine === 'postgres') await untilUnused(new URL(database.url).pathname.slice(1));
  await database.drop();
}

async function untilUnused(name: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  const text = 'select pid from pg_stat_activity where datname = $1';
  await until(async () => (await client.query(text, [name])).rowCount === 0);
  await client.end();
}
