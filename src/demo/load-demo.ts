import { batches } from '../async/batches.ts';
import { parseBadge, writeBadges } from '../badges/badge.ts';
import { decodeLogs } from '../ingest/ingest-logs.ts';
import { createLogLoader, loadAtOnce } from '../ingest/load-logs.ts';
import { parseProfile } from '../names/profile.ts';
import { writeProfiles } from '../names/write-profiles.ts';
import { createRoleOf, deployments } from '../protocol/deployments.ts';
import { parseRawLog } from '../protocol/parse-log.ts';
import { computeRanks } from '../ranks/compute-ranks.ts';
import type { Store, Transaction } from '../store/store.ts';
import { demoBadges } from './demo-badges.ts';
import { demoLogs } from './demo-logs.ts';
import type { DemoOptions } from './demo-options.ts';
import { demoProfiles } from './demo-profiles.ts';

/** Enough to share reads and writes, few enough to keep memory flat. */
const BATCH = 10_000;

/** Up to this size the graph comes in one transaction, whole or not at all; a larger one would make too long a one. */
const ATOMIC_ACCOUNTS = 20_000;

/** Runs work in a transaction, of its own or of the whole load. */
type Commit = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** Takes in an invented graph, as raw as the real one, and tells how many logs it has. */
export async function loadDemo(
  store: Store,
  options: DemoOptions,
  onProgress: (logs: number) => void,
): Promise<number> {
  return options.accounts <= ATOMIC_ACCOUNTS
    ? store.transaction((tx) => loadAtOnce(tx, () => loadAll((work) => work(tx), options, onProgress)))
    : loadAll(store.transaction, options, onProgress);
}

async function loadAll(commit: Commit, options: DemoOptions, onProgress: (logs: number) => void): Promise<number> {
  // Names first: rows that show them are then written once.
  for await (const batch of batches(demoProfiles(options), BATCH)) {
    await commit((tx) => writeProfiles(tx, batch.map(parseProfile)));
  }
  // The generator writes the mainnet contracts' logs, whatever deployment the service is set to.
  const roleOf = createRoleOf(deployments.mainnet);
  const loader = createLogLoader({ now: () => options.now * 1000 });
  let logs = 0;
  for await (const batch of batches(demoLogs(options), BATCH)) {
    await commit((tx) => loader.load(tx, decodeLogs(roleOf, batch.map(parseRawLog))));
    logs += batch.length;
    onProgress(logs);
  }
  for await (const batch of batches(demoBadges(options), BATCH)) {
    const badges = batch.map((badge) => parseBadge(badge, options.now * 1000));
    await commit((tx) => writeBadges(tx, badges));
  }
  await commit((tx) => loader.finish(tx));
  await commit((tx) => computeRanks(tx, options.now * 1000));
  return logs;
}
