import { loadDemo } from '../../src/demo/load-demo.ts';
import { decodeLogs, ingestLogs } from '../../src/ingest/ingest-logs.ts';
import { parseProfile } from '../../src/names/profile.ts';
import { writeProfiles } from '../../src/names/write-profiles.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import { parseRawLog, type RawLog } from '../../src/protocol/parse-log.ts';
import { computeRanks } from '../../src/ranks/compute-ranks.ts';
import { markLoaded } from '../../src/store/marks.ts';
import type { Store } from '../../src/store/store.ts';

const roleOf = createRoleOf(deployments.mainnet);

/** Applies logs as the indexer applies a live block, to a graph that is complete otherwise. */
export async function loadLogs(store: Store, logs: readonly RawLog[]): Promise<void> {
  await store.transaction(async (tx) => {
    await ingestLogs(tx, decodeLogs(roleOf, logs.map(parseRawLog)));
    if (logs.length > 0) await markLoaded(tx);
  });
}

export async function loadProfiles(store: Store, profiles: readonly unknown[]): Promise<void> {
  await store.transaction((tx) => writeProfiles(tx, profiles.map(parseProfile)));
}

/** A demo graph of sixty accounts. */
export async function loadTinyDemo(store: Store): Promise<void> {
  await loadDemo(store, { accounts: 60, seed: 3, now: 1_790_000_000 }, () => undefined);
}

export async function loadRanks(store: Store, now: number): Promise<void> {
  await store.transaction((tx) => computeRanks(tx, now));
}

/** The stored data version; the version that a store has cached may lag. */
export async function versionOf(store: Store): Promise<number> {
  const [state] = await store.transaction((tx) => tx.read('state', ['key'], [['data_version']]));
  return state?.value ?? 0;
}
