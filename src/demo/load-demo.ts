import { batches, overlap } from '../async/batches.ts';
import { parseBadge, writeBadges } from '../badges/badge.ts';
import { decodeLogs } from '../ingest/ingest-logs.ts';
import { createLogLoader, type LogLoader, loadAtOnce } from '../ingest/load-logs.ts';
import { parseProfile } from '../names/profile.ts';
import { writeProfiles } from '../names/write-profiles.ts';
import { createRoleOf, deployments } from '../protocol/deployments.ts';
import { parseRawLog } from '../protocol/parse-log.ts';
import { updateRanks } from '../ranks/update-ranks.ts';
import { markDemo, markLoaded } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { DemoOptions } from './accounts.ts';
import { demoBadges } from './demo-badges.ts';
import { demoLogs } from './demo-logs.ts';
import { demoProfiles } from './demo-profiles.ts';

/** Records per batch: amortises queries and bounds memory. */
const BATCH = 10_000;

/** Up to this size the graph is loaded in one transaction; a larger one would hold the write lock for too long. */
const ATOMIC_ACCOUNTS = 100_000;

/** Generates a graph and ingests it as raw logs, profiles and badges. Returns the number of logs. */
export async function loadDemo(
  store: Store,
  options: DemoOptions,
  onProgress: (logs: number) => void,
): Promise<number> {
  const loading = { now: () => options.now * 1000 };
  return options.accounts <= ATOMIC_ACCOUNTS
    ? store.transaction((tx) =>
        loadAtOnce(tx, loading, (loader) => loadAll((work) => work(tx), loader, options, onProgress)),
      )
    : loadAll(store.transaction, createLogLoader(loading), options, onProgress);
}

/** `commit` runs work in a separate transaction, or in the transaction of the whole load. */
async function loadAll(
  commit: Store['transaction'],
  loader: LogLoader,
  options: DemoOptions,
  onProgress: (logs: number) => void,
): Promise<number> {
  await commit((tx) => markDemo(tx, options));
  for await (const batch of batches(demoProfiles(options), BATCH)) {
    await commit((tx) => writeProfiles(tx, batch.map(parseProfile)));
  }
  // The generator emits logs of the mainnet contracts, whatever DEPLOYMENT says.
  const roleOf = createRoleOf(deployments.mainnet);
  async function* decodedLogs() {
    for await (const batch of batches(demoLogs(options), BATCH)) {
      yield { length: batch.length, decoded: { ...decodeLogs(roleOf, batch.map(parseRawLog)), isDemo: true } };
    }
  }
  let logs = 0;
  await overlap(decodedLogs(), async ({ length, decoded }) => {
    await commit(async (tx) => {
      await loader.load(tx, decoded);
      // Not at the end: what an interrupted load has stored is served after a rebuild.
      await markLoaded(tx);
    });
    logs += length;
    onProgress(logs);
  });
  for await (const batch of batches(demoBadges(options), BATCH)) {
    const badges = batch.map((badge) => parseBadge(badge, options.now * 1000));
    await commit((tx) => writeBadges(tx, badges));
  }
  await commit((tx) => loader.finish(tx));
  await updateRanks(commit, options.now * 1000);
  return logs;
}
