import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CounterRow } from '../lookup/counters.ts';
import type { Status } from '../lookup/status.ts';
import type { CacheState } from './send-answer.ts';

export interface Metrics {
  /** An answered request; `seconds` is not taken for cache hits, which are too quick to be worth it. */
  answered(route: string, status: number, cache: CacheState | 'NONE', seconds?: number): void;
  readonly contentType: string;
  /** The metrics as text; `database` is null while it cannot be reached. */
  render(database: DatabaseNumbers | null): Promise<string>;
}

export interface MetricsOptions {
  /** Memory that cached answers take now. */
  readonly cacheBytes: () => number;
  /** Makes what renders the counts of all processes that share the work; those of this one alone if not given. */
  readonly createCollect?: ((registry: Registry) => () => Promise<string>) | undefined;
}

interface DatabaseNumbers {
  readonly status: Status;
  readonly counters: readonly CounterRow[];
}

export function createMetrics({ cacheBytes, createCollect }: MetricsOptions): Metrics {
  /** What this process counts. */
  const registry = new Registry();
  /** What the database tells, to any process the same. */
  const shared = new Registry();
  const collect = createCollect?.(registry) ?? (() => registry.metrics());
  collectDefaultMetrics({ register: registry, prefix: 'kith_' });
  const requests = new Counter({
    name: 'kith_http_requests_total',
    help: 'Requests answered, by route, status and what the cache did.',
    labelNames: ['route', 'status', 'cache'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'kith_http_request_seconds',
    help: 'Time to answer requests that the cache did not answer.',
    labelNames: ['route'],
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2],
    registers: [registry],
  });
  new Gauge({
    name: 'kith_cache_bytes',
    help: 'Memory that cached answers take.',
    registers: [registry],
    collect() {
      this.set(cacheBytes());
    },
  });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [shared] });
  const databaseUp = gauge('kith_database_up', 'Whether the database can be reached.');
  const dataVersion = gauge('kith_data_version', 'Version of the data, raised by every commit that changes an answer.');
  const rows = gauge('kith_rows', 'Rows stored, by what they are.', ['of']);
  const ignoredOps = gauge('kith_ignored_ops', 'List ops that mean nothing and were ignored.');
  const indexedBlock = gauge('kith_chain_indexed_block', 'Highest block read.', ['chain']);
  const lagSeconds = gauge('kith_chain_lag_seconds', 'How far the indexer is behind the chain.', ['chain']);
  const faults = gauge('kith_rpc_faults_total', 'Answers that a node failed to give.', ['chain', 'host', 'kind']);
  const reorgs = gauge('kith_reorgs_total', 'Reorganisations that were followed.', ['chain']);
  return {
    contentType: registry.contentType,
    answered(route, status, cache, took) {
      requests.inc({ route, status, cache });
      if (took !== undefined) seconds.observe({ route }, took);
    },
    async render(database) {
      databaseUp.set(database === null ? 0 : 1);
      if (database !== null) tell(database);
      return `${(await collect()).trimEnd()}\n${await shared.metrics()}`;
    },
  };

  function tell({ status, counters }: DatabaseNumbers): void {
    dataVersion.set(status.dataVersion);
    const { ignoredOps: ignored, ...counts } = status.counts;
    ignoredOps.set(ignored);
    for (const [of, count] of Object.entries(counts)) rows.set({ of }, count);
    for (const { chainId, indexed, lagSeconds: lag } of status.chains) {
      indexedBlock.set({ chain: chainId }, indexed.number);
      if (lag !== null) lagSeconds.set({ chain: chainId }, lag);
    }
    for (const { name, label, value } of counters) {
      const [chain = '', host = '', kind = ''] = label.split(' ');
      if (name === 'reorgs') reorgs.set({ chain }, value);
      else faults.set({ chain, host, kind }, value);
    }
  }
}
