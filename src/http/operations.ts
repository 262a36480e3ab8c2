import type { FastifyInstance } from 'fastify';
import { withDeadline } from '../async/deadline.ts';
import { HealthBody, MetricsText, ReadyBody, type Status, StatusBody } from '../contract/status-schema.ts';
import type { Lookups } from '../lookup/lookups.ts';
import { StoreUnavailableError } from '../store/store.ts';
import type { Metrics } from './metrics.ts';
import { operationSchema } from './operation-schema.ts';
import { HttpProblem } from './problems.ts';

export interface Operations {
  readonly lookups: Lookups;
  readonly metrics: Metrics;
  /** Chains that an indexer is expected to follow. */
  readonly indexedChains: readonly number[];
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** /ready is 503 while a chain lags by more. */
const MAX_LAG_SECONDS = 60;

/** A scrape times out after 10 s by default, and must not wait for a locked table. */
const MAX_READ_MS = 2_000;

const SCHEMAS = {
  health: operationSchema({
    path: '/health',
    tag: 'operations',
    summary: 'Liveness of the process',
    description: 'For a liveness probe. It does not read the database.',
    response: HealthBody,
    problems: [],
  }),
  ready: operationSchema({
    path: '/ready',
    tag: 'operations',
    summary: 'Readiness of the process',
    description: 'For a readiness probe and for load balancers. `detail` of a 503 says what is missing.',
    response: ReadyBody,
    problems: [500, 503],
  }),
  status: operationSchema({
    path: '/status',
    tag: 'operations',
    summary: 'Status of the database and the indexed chains',
    description:
      'Sizes of the graph, and how far each chain is indexed. It takes the same time for any size of the graph.',
    response: StatusBody,
    problems: [500, 503],
  }),
  metrics: operationSchema({
    path: '/metrics',
    tag: 'operations',
    summary: 'Prometheus metrics',
    description: 'Without the metrics of the database while it is unavailable.',
    response: MetricsText,
    mediaType: 'text/plain',
    problems: [500],
  }),
};

/** Endpoints for operators: health, readiness, status and metrics. */
export function registerOperations(app: FastifyInstance, operations: Operations): void {
  const { lookups, metrics, indexedChains, now } = operations;
  const readDatabase = async () => ({ status: await lookups.status(now()), counters: await lookups.counters() });
  app.get('/health', { schema: SCHEMAS.health }, async () => ({ status: 'alive' }));
  app.get('/ready', { schema: SCHEMAS.ready }, async () => {
    const status = await lookups.status(now());
    if (status.counts.unfoldedLogs > 0)
      throw new HttpProblem('unavailable', 'the graph is being rebuilt from the stored logs');
    const behind = indexedChains.map((chainId) => describeLag(chainId, status)).filter((lag) => lag !== null);
    if (behind.length > 0) throw new HttpProblem('unavailable', `not caught up: ${behind.join('; ')}`);
    return { status: 'ready' };
  });
  app.get('/status', { schema: SCHEMAS.status }, async () => lookups.status(now()));
  app.get('/metrics', { schema: SCHEMAS.metrics }, async (_request, reply) => {
    const late = () => new StoreUnavailableError('the database is late');
    const database = await withDeadline(readDatabase(), MAX_READ_MS, late).catch((error: unknown) => {
      // The process metrics matter most while the database is unavailable.
      if (error instanceof StoreUnavailableError) return null;
      throw error;
    });
    return reply.type(metrics.contentType).send(await metrics.render(database));
  });
}

function describeLag(chainId: number, { chains, faults }: Pick<Status, 'chains' | 'faults'>): string | null {
  const chain = chains.find((known) => known.chainId === chainId);
  const lagSeconds = chain?.lagSeconds ?? null;
  const isCurrent = lagSeconds !== null && lagSeconds <= MAX_LAG_SECONDS;
  const fault = faults.find((known) => known.chainId === chainId);
  // Nodes that are away for a short time do not make the answers wrong.
  if (fault !== undefined && !(isCurrent && fault.code === 'E_NODE_UNAVAILABLE'))
    return `chain ${chainId} is not being indexed since ${fault.since}: ${fault.message}`;
  if (isCurrent) return null;
  if (chain === undefined || lagSeconds === null) return `chain ${chainId} has not been indexed yet`;
  if (chain.lagBlocks === 0)
    return `chain ${chainId} was last checked ${lagSeconds} seconds ago, the indexer may not be running`;
  return `chain ${chainId} is ${chain.lagBlocks} blocks and ${lagSeconds} seconds behind`;
}
