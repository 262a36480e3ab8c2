import { Counter, Gauge, Registry } from 'prom-client';
import type { Status } from '../../contract/status-schema.ts';
import type { Measurements } from '../../lookup/measurements.ts';
import { OUTCOMES } from '../../remote/source-metrics.ts';

export interface DatabaseNumbers {
  readonly status: Status;
  readonly measurements: Measurements;
}

/**
 * Metrics that are read from the database. They are equal in all processes, hence not summed over the workers. Returns a
 * function that renders them; null while the database is unavailable, when only `kith_database_up` is known.
 */
export function createDatabaseMetrics(): (numbers: DatabaseNumbers | null) => Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });

  const databaseUp = gauge('kith_database_up', '1 if the database is available, else 0.');
  const databaseBytes = gauge('kith_database_bytes', 'Size of the database on disk, without the write-ahead log.');
  const walBytes = gauge('kith_wal_bytes', 'Size of the write-ahead log file; SQLite only.');
  const dataVersion = gauge('kith_data_version', 'Data version, raised by every commit that changes a response.');
  const rows = gauge('kith_rows', 'Stored rows by kind.', ['of']);
  const ignoredOps = gauge('kith_ignored_ops', 'Invalid list ops, stored and ignored.');
  const ranksTime = gauge('kith_ranks_timestamp_seconds', 'When the ranks were made.');
  const ranksStale = gauge('kith_ranks_stale', '1 if the graph has changed since the ranks were made, else 0.');

  const indexedBlock = gauge('kith_chain_indexed_block', 'Highest indexed block.', ['chain']);
  const headBlock = gauge('kith_chain_head_block', 'Newest block that a node reported.', ['chain']);
  const finalizedBlock = gauge('kith_chain_finalized_block', 'Newest final block that a node reported.', ['chain']);
  const checkedTime = gauge('kith_chain_checked_timestamp_seconds', 'When a node last reported the newest block.', [
    'chain',
  ]);
  const lagSeconds = gauge('kith_chain_lag_seconds', 'Seconds that the indexer lags behind the chain.', ['chain']);
  const chainFault = gauge('kith_chain_fault', '1 for a chain that is not being indexed, with the error code.', [
    'chain',
    'code',
  ]);
  const faults = counter('kith_rpc_faults_total', 'Failed JSON-RPC requests by chain, host and kind.', [
    'chain',
    'host',
    'kind',
  ]);
  const reorgs = counter('kith_reorgs_total', 'Chain reorgs handled.', ['chain']);
  const refreshes = counter('kith_profile_refreshes_total', 'Profiles fetched in the background, by outcome.', [
    'outcome',
  ]);
  const profiles = gauge('kith_profiles', 'Leaderboard members, and those with a stored profile or a name.', ['of']);
  const oldestProfile = gauge(
    'kith_profile_oldest_timestamp_seconds',
    'When the oldest profile of a member was fetched.',
  );

  return async (numbers) => {
    databaseUp.set(numbers === null ? 0 : 1);
    if (numbers === null) return registry.getSingleMetricAsString('kith_database_up');
    setDatabase(numbers);
    setChains(numbers);
    setCounters(numbers);
    return registry.metrics();
  };

  function setDatabase({ status, measurements: { size, ranksAreStale } }: DatabaseNumbers): void {
    const { ignoredOps: ignored, ...counts } = status.counts;
    databaseBytes.set(size.database);
    if (size.wal === null) walBytes.remove();
    else walBytes.set(size.wal);
    dataVersion.set(status.dataVersion);
    ignoredOps.set(ignored);
    for (const [of, count] of Object.entries(counts)) rows.set({ of }, count);
    if (status.ranksMadeAt === null) ranksTime.remove();
    else ranksTime.set(Date.parse(status.ranksMadeAt) / 1000);
    ranksStale.set(ranksAreStale ? 1 : 0);
  }

  function setChains({ status, measurements: { checkedAt } }: DatabaseNumbers): void {
    for (const metric of [indexedBlock, headBlock, finalizedBlock, checkedTime, lagSeconds, chainFault]) metric.reset();
    for (const { chainId: chain, indexed, head, finalized, lagSeconds: lag } of status.chains) {
      indexedBlock.set({ chain }, indexed.number);
      if (head !== null) headBlock.set({ chain }, head);
      if (finalized !== null) finalizedBlock.set({ chain }, finalized);
      if (lag !== null) lagSeconds.set({ chain }, lag);
      const checked = checkedAt.get(chain);
      // Not for a chain that was indexed before and no longer is.
      if (lag !== null && checked !== undefined) checkedTime.set({ chain }, checked / 1000);
    }
    for (const { chainId: chain, code } of status.faults) chainFault.set({ chain, code }, 1);
  }

  /** The indexer counts; a counter has no method to set its value. */
  function setCounters({ measurements: { counters, checkedAt } }: DatabaseNumbers): void {
    for (const metric of [faults, reorgs, refreshes, profiles]) metric.reset();
    oldestProfile.remove();
    for (const chain of checkedAt.keys()) reorgs.inc({ chain }, 0);
    for (const outcome of OUTCOMES) refreshes.inc({ outcome }, 0);
    for (const { name, label, value } of counters) {
      const [chain = '', host = '', kind = ''] = label.split(' ');
      if (name === 'reorgs') reorgs.inc({ chain }, value);
      else if (name === 'profile_refreshes') refreshes.inc({ outcome: label }, value);
      else if (name === 'profiles') profiles.set({ of: label }, value);
      else if (name === 'profiles_oldest') oldestProfile.set(value);
      else faults.inc({ chain, host, kind }, value);
    }
  }
}
