import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts';
import type { Status } from '../../contract/status-schema.ts';
import { VERSION } from '../../contract/version.ts';
import type { EventCounts } from '../../live/hub.ts';
import type { Measurements } from '../../lookup/status.ts';
import { OUTCOMES } from '../../remote/source-metrics.ts';
import type { Store } from '../../store/store.ts';

/** `NONE` for what is not for the cache. */
export type CacheState = 'HIT' | 'MISS' | 'FRESH' | 'NONE';

export interface MetricsOptions {
  readonly store: Pick<Store, 'engine' | 'poolUsage'>;
  readonly answers: {
    cacheBytes(): number;
    spoolBytes(): number;
    readonly heavy: { running(): number; waiting(): number };
  };
  readonly httpServer: { connections(): number; dropped(): number };
  readonly hub: { counts(): EventCounts };
  /** Metrics of other parts of the process. */
  readonly others?: readonly Metric[] | undefined;
  /** Creates a renderer for the metrics of all worker processes; the default renders this process only. */
  readonly createCollect?: ((registry: Registry) => () => Promise<string>) | undefined;
}

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics({ store, answers, httpServer, hub, others, createCollect }: MetricsOptions) {
  const registry = createProcessRegistry(store.engine, others);
  const registers = [registry];
  const collect = createCollect?.(registry) ?? (() => registry.metrics());
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
  const toolCalls = new Counter({
    name: 'kith_mcp_calls_total',
    help: 'Calls of tools of the Model Context Protocol, by tool and outcome: ok or the code of the problem.',
    labelNames: ['tool', 'outcome'],
    registers,
  });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  const gauges = (name: string, help: string, read: Readonly<Record<string, () => number>>) =>
    new Gauge({
      name,
      help,
      labelNames: ['state'],
      registers,
      collect() {
        for (const [state, value] of Object.entries(read)) this.set({ state }, value());
      },
    });
  gauge('kith_cache_bytes', 'Memory in use by cached responses.', answers.cacheBytes);
  gauge('kith_spool_bytes', 'Temporary disk space in use by long responses.', answers.spoolBytes);
  gauge('kith_http_connections', 'Open HTTP connections.', httpServer.connections);
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  const droppedHelp = 'Connections that were closed because too many were open, idle and new ones.';
  counter('kith_http_connections_dropped_total', droppedHelp, httpServer.dropped);
  gauge('kith_event_streams', 'Open event streams.', () => hub.counts().open);
  counter('kith_events_sent_total', 'Events that were sent to streams.', () => hub.counts().sent);
  counter('kith_event_undos_total', 'Undos that were sent to streams.', () => hub.counts().undone);
  counter('kith_event_resumes_total', 'Streams that went on from a position.', () => hub.counts().resumed);
  new Counter({
    name: 'kith_event_streams_ended_total',
    help: 'Event streams that have ended, by reason.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of hub.counts().ended) this.inc({ reason }, count);
    },
  });
  const { running, waiting } = answers.heavy;
  gauges('kith_heavy_lookups', 'Expensive lookups that run, or wait for their turn.', { running, waiting });
  const { poolUsage } = store;
  if (poolUsage !== null) {
    gauges('kith_database_connections', 'Connections to PostgreSQL for lookups.', {
      used: () => poolUsage().used,
      idle: () => poolUsage().idle,
    });
    const help = 'Lookups that wait for a connection to PostgreSQL.';
    gauge('kith_database_queries_waiting', help, () => poolUsage().waiting);
  }
  return {
    /** Counts a response; cache hits have no `duration`, they are not timed. */
    answered(route: string, status: number, cache: CacheState, duration?: number) {
      requests.inc({ route, status, cache });
      if (duration !== undefined) seconds.observe({ route }, duration);
    },
    failed: (code: ProblemCode) => problems.inc({ code }),
    toolCalled: (tool: string, outcome: string) => toolCalls.inc({ tool, outcome }),
    /** Renders the Prometheus text format. */
    render: async (database: DatabaseNumbers | null) =>
      `${(await collect()).trimEnd()}\n${await renderDatabaseMetrics(database)}`,
  };
}

/** A registry with the metrics that every process has: its build, and Node's own with the prefix `kith_`. */
export function createProcessRegistry(engine: Store['engine'], others: readonly Metric[] = []): Registry {
  const registry = new Registry();
  for (const metric of others) registry.registerMetric(metric);
  new Gauge({
    name: 'kith_build_info',
    help: 'Always 1. The labels are the versions of Kith and Node, and the database engine.',
    labelNames: ['version', 'node', 'engine'],
    registers: [registry],
    // The same in all workers.
    aggregator: 'first',
  }).set({ version: VERSION, node: process.versions.node, engine }, 1);
  collectDefaultMetrics({ register: registry, prefix: 'kith_' });
  // By default it is left out of the sum over the workers. The latest start shows that a worker was restarted.
  Object.assign(registry.getSingleMetric('kith_process_start_time_seconds') ?? {}, { aggregator: 'max' });
  return registry;
}

interface DatabaseNumbers {
  readonly status: Status;
  readonly measurements: Measurements;
}

type Sample = readonly [labels: Readonly<Record<string, string | number>>, value: number];

/**
 * Metrics that are read from the database. They are equal in all processes, hence not summed over the workers. While the
 * database is unavailable, which is null, only `kith_database_up` is known.
 */
export async function renderDatabaseMetrics(numbers: DatabaseNumbers | null): Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  /** Null if it is absent. */
  const gauge = (name: string, help: string, value: number | null) => {
    const metric = new Gauge({ name, help, registers });
    if (value === null) metric.remove();
    else metric.set(value);
  };
  const samples = (Kind: typeof Counter | typeof Gauge, name: string, help: string, of: string, all: Sample[]) => {
    const metric = new Kind({ name, help, labelNames: of.split(' '), registers });
    for (const [labels, value] of all) metric.inc(labels, value);
  };
  gauge('kith_database_up', '1 if the database is available, else 0.', numbers === null ? 0 : 1);
  if (numbers === null) return registry.metrics();

  const { status, measurements } = numbers;
  const { size, ranksAreStale, checkedAt, counters } = measurements;
  const { ignoredOps, ...rows } = status.counts;
  gauge('kith_database_bytes', 'Size of the database on disk, without the write-ahead log.', size.database);
  gauge('kith_wal_bytes', 'Size of the write-ahead log file; SQLite only.', size.wal);
  gauge('kith_data_version', 'Data version, raised by every commit that changes a response.', status.dataVersion);
  const rowsOf = Object.entries(rows).map(([of, count]): Sample => [{ of }, count]);
  samples(Gauge, 'kith_rows', 'Stored rows by kind.', 'of', rowsOf);
  gauge('kith_ignored_ops', 'Invalid list ops, stored and ignored.', ignoredOps);
  const madeAt = status.ranksMadeAt && Date.parse(status.ranksMadeAt) / 1000;
  gauge('kith_ranks_timestamp_seconds', 'When the ranks were made.', madeAt || null);
  gauge('kith_ranks_stale', '1 if the graph has changed since the ranks were made, else 0.', Number(ranksAreStale));

  const ofChains = (name: string, help: string, read: (chain: Status['chains'][number]) => number | null) => {
    const values = status.chains.map((chain) => [{ chain: chain.chainId }, read(chain)] as const);
    const known = values.filter((sample): sample is typeof sample & Sample => sample[1] !== null);
    samples(Gauge, name, help, 'chain', known);
  };
  ofChains('kith_chain_indexed_block', 'Highest indexed block.', ({ indexed }) => indexed.number);
  ofChains('kith_chain_head_block', 'Newest block that a node reported.', ({ head }) => head);
  ofChains('kith_chain_finalized_block', 'Newest final block that a node reported.', ({ finalized }) => finalized);
  ofChains('kith_chain_checked_timestamp_seconds', 'When a node last reported the newest block.', (chain) => {
    const checked = checkedAt.get(chain.chainId);
    // Not for a chain that was indexed before and no longer is.
    return chain.lagSeconds === null || checked === undefined ? null : checked / 1000;
  });
  ofChains('kith_chain_lag_seconds', 'Seconds that the indexer lags behind the chain.', ({ lagSeconds }) => lagSeconds);
  const reading = status.chains.flatMap(({ chainId, reading }) =>
    reading.map(({ address, number, target }): Sample => [{ chain: chainId, contract: address }, target - number]),
  );
  const readingHelp = 'Blocks whose logs of an added contract have not been read yet.';
  samples(Gauge, 'kith_contract_unread_blocks', readingHelp, 'chain contract', reading);
  const faults = status.faults.map(({ chainId, code }): Sample => [{ chain: chainId, code }, 1]);
  const faultHelp = '1 for a chain that is not being indexed, with the error code.';
  samples(Gauge, 'kith_chain_fault', faultHelp, 'chain code', faults);

  /** Of the indexer, which stores the values of the labels as one text. */
  const storedOf = (counter: string, ...names: string[]) =>
    counters.flatMap(({ name, label, value }): Sample[] => {
      const values = label.split(' ');
      return name === counter ? [[Object.fromEntries(names.map((of, i) => [of, values[i] ?? ''])), value]] : [];
    });
  const rpcFaults = storedOf('rpc_faults', 'chain', 'host', 'kind');
  const rpcHelp = 'Failed JSON-RPC requests by chain, host and kind.';
  samples(Counter, 'kith_rpc_faults_total', rpcHelp, 'chain host kind', rpcFaults);
  const reorgs = [...[...checkedAt.keys()].map((chain): Sample => [{ chain }, 0]), ...storedOf('reorgs', 'chain')];
  samples(Counter, 'kith_reorgs_total', 'Chain reorgs handled.', 'chain', reorgs);
  const noRefreshes = OUTCOMES.map((outcome): Sample => [{ outcome }, 0]);
  const refreshes = [...noRefreshes, ...storedOf('profile_refreshes', 'outcome')];
  const refreshHelp = 'Profiles fetched in the background, by outcome.';
  samples(Counter, 'kith_profile_refreshes_total', refreshHelp, 'outcome', refreshes);
  const profilesHelp = 'Leaderboard members, and those with a stored profile or a name.';
  samples(Gauge, 'kith_profiles', profilesHelp, 'of', storedOf('profiles', 'of'));
  const [[, oldest] = [{}, null]] = storedOf('profiles_oldest');
  gauge('kith_profile_oldest_timestamp_seconds', 'When the oldest profile of a member was fetched.', oldest);
  return registry.metrics();
}
