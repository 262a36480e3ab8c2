import { decodeLogs, ingestLogs } from '../../src/ingest/ingest-logs.ts';
import { placeAccounts } from '../../src/ingest/place-accounts.ts';
import { parseProfile } from '../../src/names/profile.ts';
import { writeProfiles } from '../../src/names/write-profiles.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import { parseRawLog, type RawLog } from '../../src/protocol/parse-log.ts';
import { computeRanks } from '../../src/ranks/compute-ranks.ts';
import type { Store } from '../../src/store/store.ts';

const roleOf = createRoleOf(deployments.mainnet);

/** Ingests logs like one live block, then refreshes the popularity sort keys. */
export async function loadLogs(store: Store, logs: readonly RawLog[]): Promise<void> {
  await store.transaction(async (tx) => {
    await ingestLogs(tx, decodeLogs(roleOf, logs.map(parseRawLog)));
    await placeAccounts(tx);
  });
}

/** Ingests logs like one live block. Popularity sort keys stay stale. */
export async function loadBlock(store: Store, logs: readonly RawLog[]): Promise<void> {
  await store.transaction((tx) => ingestLogs(tx, decodeLogs(roleOf, logs.map(parseRawLog))));
}

export async function countWaiting(store: Store): Promise<number> {
  const rows = await store.transaction((tx) =>
    tx.query((db) => db.selectFrom('accounts').select('address').whereRef('popularity', '<>', 'followers')),
  );
  return rows.length;
}

export async function loadProfiles(store: Store, profiles: readonly unknown[]): Promise<void> {
  await store.transaction((tx) => writeProfiles(tx, profiles.map(parseProfile)));
}

export async function loadRanks(store: Store, now: number): Promise<void> {
  await store.transaction(async (tx) => {
    await placeAccounts(tx);
    await computeRanks(tx, now);
  });
}
