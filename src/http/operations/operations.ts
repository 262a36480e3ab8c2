import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import { Registry } from 'prom-client';
import { withDeadline } from '../../async/deadline.ts';
import type { UnixMs } from '../../async/unix-time.ts';
import { HealthBody, MetricsText, ReadyBody, type Status, StatusBody } from '../../contract/status-schema.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import { CorruptDatabaseError, StoreOverloadedError, StoreUnavailableError } from '../../store/store.ts';
import { operationSchema } from '../openapi/operation-schema.ts';
import { HttpProblem } from '../problems.ts';
import type { Metrics } from './metrics.ts';

/** The port for probes and scrapes, which is not public. */
type OperationsPort = ReturnType<typeof registerOperationsListener>;

/**
 * Adds `listenForOperations`, which serves the routes of `app` on a second port, for probes and scrapes. libuv accepts
 * one connection of a listening socket in each turn of the event loop. Under overload, turns are long, and a probe
 * would wait until all connections before it have been accepted.
 */
export function registerOperationsListener(app: FastifyInstance, createServer: (handler: RequestListener) => Server) {
  let server: Server | undefined;
  const requests = new WeakSet<IncomingMessage>();
  app.decorate('listenForOperations', async (address) => {
    await app.ready();
    const handle: RequestListener = (request, response) => {
      requests.add(request);
      app.routing(request, response);
    };
    server = createServer(handle).listen(address);
    await once(server, 'listening');
    app.log.info({ ...address }, 'serving probes on the operations port');
  });
  app.addHook('onClose', () => {
    server?.close();
  });
  return {
    isOpen: () => server !== undefined,
    /** Whether a request arrived on it. */
    has: ({ raw }: FastifyRequest) => requests.has(raw),
  };
}

export interface Operations {
  readonly lookups: Lookups;
  readonly metrics: Metrics;
  /** The lag of a chain above which /ready is 503; null if any lag is accepted. */
  readonly maxLagSeconds: number | null;
  readonly now: () => UnixMs;
  readonly operationsPort: OperationsPort;
  readonly onStop: () => void;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes /ready answer 503 from now on, so that load balancers send no further requests. */
    announceShutdown(): void;
    listenForOperations(address: { readonly host: string; readonly port: number }): Promise<void>;
  }
}

const SCHEMAS = {
  health: operationSchema({
    path: '/health',
    summary: 'Liveness of the process',
    description: 'For a liveness probe. It does not read the database.',
    response: HealthBody,
    problems: [],
  }),
  ready: operationSchema({
    path: '/ready',
    summary: 'Readiness of the process',
    description:
      'For a readiness probe and for load balancers: whether the process can answer. `detail` of a 503 says why not.',
    response: ReadyBody,
    problems: [500, 503],
  }),
  status: operationSchema({
    path: '/status',
    summary: 'Status of the database and the indexed chains',
    description:
      'Sizes of the graph, and how far each chain is indexed. It takes the same time for any size of the graph.',
    response: StatusBody,
    problems: [500, 503],
  }),
  metrics: operationSchema({
    path: '/metrics',
    summary: 'Prometheus metrics',
    description: 'Without the metrics of the database while it is unavailable.',
    response: MetricsText,
    mediaType: 'text/plain',
    problems: [500],
  }),
};

/** Endpoints for operators: health, readiness, status and metrics. */
export function registerOperations(app: FastifyInstance, operations: Operations): void {
  const { lookups, metrics, maxLagSeconds, now, operationsPort, onStop } = operations;
  let isStopping = false;
  app.decorate('announceShutdown', () => {
    isStopping = true;
    onStop();
  });
  const config = { isProbe: true };
  app.get('/health', { schema: SCHEMAS.health, config }, async () => ({ status: 'alive' }));
  app.get('/ready', { schema: SCHEMAS.ready, config }, async () => {
    if (isStopping) throw new HttpProblem('unavailable', 'the process is shutting down');
    const status = await readStatus(lookups, now());
    const reason = whyNotReady(status, maxLagSeconds);
    if (reason !== null) throw new HttpProblem('unavailable', reason);
    return { status: 'ready', databaseFault: status.databaseFault };
  });
  app.get('/status', { schema: SCHEMAS.status }, async () => readStatus(lookups, now()));
  registerMetrics(app, { lookups, render: metrics.render, now, schema: SCHEMAS.metrics, onRequest: hideMetrics });

  /** They name the hosts of the nodes. */
  async function hideMetrics(request: FastifyRequest): Promise<void> {
    if (operationsPort.isOpen() && !operationsPort.has(request))
      throw new HttpProblem('unknown-path', 'the metrics are on OPERATIONS_PORT');
  }
}

export interface MetricsRouteOptions {
  readonly lookups: Pick<Lookups, 'status' | 'measurements'>;
  readonly render: Metrics['render'];
  readonly now: () => UnixMs;
  readonly schema?: FastifySchema;
  readonly onRequest?: (request: FastifyRequest) => Promise<void>;
}

/** A scrape times out after 10 s by default, and must not wait for a locked table. */
const MAX_READ_MS = 2_000;
/** Lookups report these. */
const DATABASE_ERRORS = [StoreUnavailableError, StoreOverloadedError, CorruptDatabaseError];

export function registerMetrics(
  app: FastifyInstance,
  { lookups, render, now, schema = {}, onRequest = async () => undefined }: MetricsRouteOptions,
): void {
  const readDatabase = async () => ({
    status: await lookups.status(now()),
    measurements: await lookups.measurements(),
  });
  app.get('/metrics', { schema, onRequest }, async (_request, reply) => {
    const late = () => new StoreUnavailableError('timed out while reading the database');
    const database = await withDeadline(readDatabase(), MAX_READ_MS, late).catch((error: unknown) => {
      // The process metrics matter most while the database does not answer.
      if (DATABASE_ERRORS.some((kind) => error instanceof kind)) return null;
      throw error;
    });
    return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await render(database));
  });
}

/** The status for an operator: unlike those of other requests, its error names the fault of the database. */
export async function readStatus(lookups: Pick<Lookups, 'status' | 'databaseFault'>, now: number): Promise<Status> {
  try {
    return await lookups.status(now);
  } catch (error) {
    if (!(error instanceof StoreUnavailableError || error instanceof CorruptDatabaseError)) throw error;
    const fault = await lookups.databaseFault();
    throw new HttpProblem('unavailable', fault?.message ?? 'the database is unavailable, retry later', {
      cause: error,
    });
  }
}

type Chain = Status['chains'][number];

const COMPUTING = 'the graph is being computed from the stored logs';

/** Why requests cannot be answered at present; null if they can. `maxLagSeconds` is null if any lag is accepted. */
function whyNotReady(status: Status, maxLagSeconds: number | null): string | null {
  const missing = whatIsMissing(status, maxLagSeconds);
  // A fault of the database may be why nothing is added. Alone it is no reason: most requests can be answered.
  return missing && [missing, status.databaseFault?.message].filter(Boolean).join('; ');
}

function whatIsMissing(status: Status, maxLagSeconds: number | null): string | null {
  const { logs, unfoldedLogs } = status.counts;
  const isUnfolded = logs > 0 && unfoldedLogs === logs;
  if (isUnfolded && !status.isLoading) return COMPUTING;
  if (status.isLoading) {
    if (status.chains.length + status.faults.length === 0) {
      return 'the database is empty: nothing has been indexed or imported yet';
    }
    const behind = describeChains(status, ({ lagBlocks }) => lagBlocks !== null && lagBlocks > 0);
    if (isUnfolded && behind === '') return COMPUTING;
    return `the chains are being read for the first time${behind === '' ? '' : `: ${behind}`}`;
  }
  if (maxLagSeconds === null) return null;
  const behind = describeChains(status, ({ lagSeconds }) => lagSeconds !== null && lagSeconds > maxLagSeconds);
  return behind === '' ? null : `not caught up: ${behind}`;
}

/** The chains that are behind, and those that were never read, with the reason if it is known. */
function describeChains({ chains, faults }: Status, isBehind: (chain: Chain) => boolean): string {
  const unread = faults.filter(({ chainId }) => !chains.some((chain) => chain.chainId === chainId));
  const describe = ({ chainId, lagBlocks, lagSeconds }: Chain) => {
    const fault = faults.find((known) => known.chainId === chainId);
    if (fault !== undefined) return `chain ${chainId} is not being indexed since ${fault.since}: ${fault.message}`;
    if (lagBlocks === 0)
      return `chain ${chainId} was last checked ${lagSeconds} seconds ago, the indexer may not be running`;
    return `chain ${chainId} is ${lagBlocks} blocks and ${lagSeconds} seconds behind`;
  };
  return [
    ...chains.filter(isBehind).map(describe),
    ...unread.map(({ chainId, since, message }) => `chain ${chainId} could not be read since ${since}: ${message}`),
  ].join('; ');
}
