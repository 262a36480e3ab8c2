import { Counter, Gauge, Histogram, type Metric, type Registry } from 'prom-client';
import type { Store } from '../../store/store.ts';
import { PROBLEMS, type ProblemCode } from '../problems.ts';
import { createDatabaseMetrics, type DatabaseNumbers } from './database-metrics.ts';
import { createProcessRegistry } from './process-metrics.ts';

export type CacheState = 'HIT' | 'MISS' | 'FRESH';

/** Renders the Prometheus text format; `database` is null while the database is unavailable. */
export type RenderMetrics = (database: DatabaseNumbers | null) => Promise<string>;

export interface Metrics {
  /** Counts a response; cache hits have no `seconds`, they are not timed. */
  answered(route: string, status: number, cache: CacheState | 'NONE', seconds?: number): void;
  /** Counts an error response by its code. */
  failed(code: ProblemCode): void;
  readonly render: RenderMetrics;
}

export interface MetricsOptions {
  readonly store: Pick<Store, 'engine' | 'poolUsage'>;
  /** Memory in use by cached responses. */
  readonly cacheBytes: () => number;
  readonly connections: {
    readonly open: () => number;
    /** Since the start of the process. */
    readonly dropped: () => number;
  };
  /** Expensive lookups. */
  readonly heavy: { readonly running: () => number; readonly waiting: () => number };
  /** Metrics of other parts of the process. */
  readonly others?: readonly Metric[] | undefined;
  /** Creates a renderer for the metrics of all worker processes; the default renders this process only. */
  readonly createCollect?: ((registry: Registry) => () => Promise<string>) | undefined;
}

export function createMetrics(options: MetricsOptions): Metrics {
  const { store, cacheBytes, connections, heavy, createCollect } = options;
  const registry = createProcessRegistry(store.engine, options.others);
  const registers = [registry];
  const collect = createCollect?.(registry) ?? (() => registry.metrics());
  const renderDatabase = createDatabaseMetrics();
  const requests = new Counter({
    name: 'kith_http_requests_total',
    help: 'HTTP requests by route, status and cache state.',
    labelNames: ['route', 'status', 'cache'],
    registers,
  });
  const seconds = new Histogram({
    name: 'kith_http_request_seconds',
    help: 'Duration of HTTP requests that were not cache hits.',
    labelNames: ['route'],
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2],
    registers,
  });
  const problems = new Counter({
    name: 'kith_http_problems_total',
    help: 'Error responses by the code of the problem.',
    labelNames: ['code'],
    registers,
  });
  for (const code of Object.keys(PROBLEMS)) problems.inc({ code }, 0);
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  const gauges = (name: string, help: string, read: () => Readonly<Record<string, number>>) =>
    new Gauge({
      name,
      help,
      labelNames: ['state'],
      registers,
      collect() {
        for (const [state, value] of Object.entries(read())) this.set({ state }, value);
      },
    });
  gauge('kith_cache_bytes', 'Memory in use by cached responses.', cacheBytes);
  gauge('kith_http_connections', 'Open HTTP connections.', connections.open);
  new Counter({
    name: 'kith_http_connections_dropped_total',
    help: 'Connections that were closed at once because MAX_CONNECTIONS were open.',
    registers,
    collect() {
      this.reset();
      this.inc(connections.dropped());
    },
  });
  gauges('kith_heavy_lookups', 'Expensive lookups that run, or wait for their turn.', () => ({
    running: heavy.running(),
    waiting: heavy.waiting(),
  }));
  const { poolUsage } = store;
  if (poolUsage !== null) {
    gauges('kith_database_connections', 'Connections to PostgreSQL for lookups.', () => {
      const { used, idle } = poolUsage();
      return { used, idle };
    });
    gauge(
      'kith_database_queries_waiting',
      'Lookups that wait for a connection to PostgreSQL.',
      () => poolUsage().waiting,
    );
  }
  return {
    answered(route, status, cache, duration) {
      requests.inc({ route, status, cache });
      if (duration !== undefined) seconds.observe({ route }, duration);
    },
    failed: (code) => problems.inc({ code }),
    render: async (database) => `${(await collect()).trimEnd()}\n${await renderDatabase(database)}`,
  };
}
