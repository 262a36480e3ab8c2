import type { FastifyInstance } from 'fastify';
import type { UnixMs } from '../../async/unix-time.ts';
import { HealthBody, MetricsText, ReadyBody, StatusBody } from '../../contract/status-schema.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import { type Operation, operationSchema } from '../openapi/operation-schema.ts';
import { HttpProblem } from '../problems.ts';
import type { Metrics } from './metrics.ts';
import { registerMetrics } from './metrics-route.ts';
import { whyNotReady } from './readiness.ts';

export interface Operations {
  readonly lookups: Lookups;
  readonly metrics: Metrics;
  /** The lag of a chain above which /ready is 503; null if any lag is accepted. */
  readonly maxLagSeconds: number | null;
  readonly now: () => UnixMs;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes /ready answer 503 from now on, so that load balancers send no further requests. */
    announceShutdown(): void;
  }
}

const schemaOf = (operation: Omit<Operation, 'tag'>) => operationSchema({ tag: 'operations', ...operation });

const SCHEMAS = {
  health: schemaOf({
    path: '/health',
    summary: 'Liveness of the process',
    description: 'For a liveness probe. It does not read the database.',
    response: HealthBody,
    problems: [],
  }),
  ready: schemaOf({
    path: '/ready',
    summary: 'Readiness of the process',
    description:
      'For a readiness probe and for load balancers: whether the process can answer. `detail` of a 503 says why not.',
    response: ReadyBody,
    problems: [500, 503],
  }),
  status: schemaOf({
    path: '/status',
    summary: 'Status of the database and the indexed chains',
    description:
      'Sizes of the graph, and how far each chain is indexed. It takes the same time for any size of the graph.',
    response: StatusBody,
    problems: [500, 503],
  }),
  metrics: schemaOf({
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
  const { lookups, metrics, maxLagSeconds, now } = operations;
  let isStopping = false;
  app.decorate('announceShutdown', () => {
    isStopping = true;
  });
  app.get('/health', { schema: SCHEMAS.health }, async () => ({ status: 'alive' }));
  app.get('/ready', { schema: SCHEMAS.ready }, async () => {
    if (isStopping) throw new HttpProblem('unavailable', 'the process is shutting down');
    const reason = whyNotReady(await lookups.status(now()), maxLagSeconds);
    if (reason !== null) throw new HttpProblem('unavailable', reason);
    return { status: 'ready' };
  });
  app.get('/status', { schema: SCHEMAS.status }, async () => lookups.status(now()));
  registerMetrics(app, { lookups, render: metrics.render, now, schema: SCHEMAS.metrics });
}
