import { loadDemo } from '../../src/demo/load-demo.ts';
import { decodeLogs, ingestLogs } from '../../src/ingest/ingest-logs.ts';
import { parseProfile } from '../../src/names/profile.ts';
import { writeProfiles } from '../../src/names/write-profiles.ts';
import { createRoleOf, type Deployment, deployments } from '../../src/protocol/deployments.ts';
import { parseRawLog, type RawLog } from '../../src/protocol/parse-log.ts';
import { updateRanks } from '../../src/ranks/update-ranks.ts';
import { markLoaded } from '../../src/store/state.ts';
import type { Store, Transaction } from '../../src/store/store.ts';
import type { Versions } from '../../src/store/versions.ts';

/** Applies logs as the indexer applies a live block, to a graph that is complete otherwise. */
export async function loadLogs(
  store: Store,
  logs: readonly RawLog[],
  deployment: Deployment = deployments.mainnet,
): Promise<void> {
  const roleOf = createRoleOf(deployment);
  await store.transaction(async (tx) => {
    await ingestLogs(tx, decodeLogs(roleOf, logs.map(parseRawLog)));
    if (logs.length > 0) await markLoaded(tx);
  });
}

export async function loadProfiles(store: Store, profiles: readonly unknown[]): Promise<void> {
  await store.transaction((tx) => writeProfiles(tx, profiles.map(parseProfile)));
}

/** Adds logs to a demo graph, which a database takes only without its mark. */
export async function loadIntoDemo(store: Store, logs: readonly RawLog[]): Promise<void> {
  await store.transaction((tx) => tx.upsert('state', [{ key: 'is_demo', value: 0 }]));
  await loadLogs(store, logs);
}

/** A demo graph of sixty accounts. */
export async function loadTinyDemo(store: Store): Promise<void> {
  await loadDemo(store, { accounts: 60, seed: 3, now: 1_790_000_000 }, () => undefined);
}

export async function loadRanks(store: Store, now: number): Promise<void> {
  await updateRanks(store.transaction, now);
}

/** The number of a commit. */
export const numberOf = (versions: Versions | null) => versions?.number ?? null;

/** A change of the graph that no answer shows. */
export const touchGraph = (tx: Transaction) => tx.count({ graph_version: 1 });

/** The stored data version; the version that a store has cached may lag. */
export async function versionOf(store: Store): Promise<number> {
  const [state] = await store.transaction((tx) => tx.read('state', ['key'], [['data_version']]));
  return state?.value ?? 0;
}
