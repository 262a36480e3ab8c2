import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import type { Status } from '../contract/status-schema.ts';
import type { CounterRow } from '../lookup/counters.ts';

export type CacheState = 'HIT' | 'MISS' | 'FRESH';

export interface Metrics {
  /** Counts a response; cache hits have no `seconds`, they are not timed. */
  answered(route: string, status: number, cache: CacheState | 'NONE', seconds?: number): void;
  readonly contentType: string;
  /** Renders the Prometheus text format; `database` is null while the database is unavailable. */
  render(database: DatabaseNumbers | null): Promise<string>;
}

export interface MetricsOptions {
  /** Memory in use by cached responses. */
  readonly cacheBytes: () => number;
  /** Metrics of other parts of the process. */
  readonly others?: readonly Metric[] | undefined;
  /** Creates a renderer for the metrics of all worker processes; the default renders this process only. */
  readonly createCollect?: ((registry: Registry) => () => Promise<string>) | undefined;
}

interface DatabaseNumbers {
  readonly status: Status;
  readonly counters: readonly CounterRow[];
}

export function createMetrics({ cacheBytes, others = [], createCollect }: MetricsOptions): Metrics {
  /** Counted per process. */
  const registry = new Registry();
  /** Read from the database, equal in all processes, hence not summed over the workers. */
  const shared = new Registry();
  const collect = createCollect?.(registry) ?? (() => registry.metrics());
  for (const metric of others) registry.registerMetric(metric);
  collectDefaultMetrics({ register: registry, prefix: 'kith_' });
  const requests = new Counter({
    name: 'kith_http_requests_total',
    help: 'HTTP requests by route, status and cache state.',
    labelNames: ['route', 'status', 'cache'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'kith_http_request_seconds',
    help: 'Duration of HTTP requests that were not cache hits.',
    labelNames: ['route'],
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2],
    registers: [registry],
  });
  new Gauge({
    name: 'kith_cache_bytes',
    help: 'Memory in use by cached responses.',
    registers: [registry],
    collect() {
      this.set(cacheBytes());
    },
  });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [shared] });
  const databaseUp = gauge('kith_database_up', '1 if the database is available, else 0.');
  const dataVersion = gauge('kith_data_version', 'Data version, raised by every commit that changes a response.');
  const rows = gauge('kith_rows', 'Stored rows by kind.', ['of']);
  const ignoredOps = gauge('kith_ignored_ops', 'Invalid list ops, stored and ignored.');
  const indexedBlock = gauge('kith_chain_indexed_block', 'Highest indexed block.', ['chain']);
  const lagSeconds = gauge('kith_chain_lag_seconds', 'Seconds that the indexer lags behind the chain.', ['chain']);
  const chainFault = gauge('kith_chain_fault', '1 for a chain that is not being indexed, with the error code.', [
    'chain',
    'code',
  ]);
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers: [shared] });
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
  return {
    contentType: registry.contentType,
    answered(route, status, cache, duration) {
      requests.inc({ route, status, cache });
      if (duration !== undefined) seconds.observe({ route }, duration);
    },
    async render(database) {
      databaseUp.set(database === null ? 0 : 1);
      if (database !== null) setDatabaseNumbers(database);
      return `${(await collect()).trimEnd()}\n${await shared.metrics()}`;
    },
  };

  function setDatabaseNumbers({ status, counters }: DatabaseNumbers): void {
    lagSeconds.reset();
    dataVersion.set(status.dataVersion);
    const { ignoredOps: ignored, ...counts } = status.counts;
    ignoredOps.set(ignored);
    for (const [of, count] of Object.entries(counts)) rows.set({ of }, count);
    for (const { chainId, indexed, lagSeconds: lag } of status.chains) {
      indexedBlock.set({ chain: chainId }, indexed.number);
      if (lag !== null) lagSeconds.set({ chain: chainId }, lag);
    }
    chainFault.reset();
    for (const { chainId, code } of status.faults) chainFault.set({ chain: chainId, code }, 1);
    // The indexer counts; a counter has no method to set its value.
    faults.reset();
    reorgs.reset();
    refreshes.reset();
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
