import type { FastifyInstance } from 'fastify';
import { StatusBody } from '../contract/status-schema.ts';
import type { Lookups } from '../lookup/lookups.ts';
import type { Metrics } from './metrics.ts';
import { registerMetrics } from './metrics-route.ts';
import { HttpProblem } from './problems.ts';
import { whyNotReady } from './readiness.ts';

export interface Operations {
  readonly lookups: Lookups;
  readonly metrics: Metrics;
  /** The lag of a chain above which /ready is 503; null if any lag is accepted. */
  readonly maxLagSeconds: number | null;
  /** Unix milliseconds. */
  readonly now: () => number;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes /ready answer 503 from now on, so that load balancers send no further requests. */
    announceShutdown(): void;
  }
}

/** Endpoints for operators: health, readiness, status and metrics. */
export function registerOperations(app: FastifyInstance, operations: Operations): void {
  const { lookups, metrics, maxLagSeconds, now } = operations;
  let isStopping = false;
  app.decorate('announceShutdown', () => {
    isStopping = true;
  });
  const schema = (summary: string) => ({ summary, tags: ['operations'] });
  app.get('/health', { schema: schema('Liveness of the process') }, async () => ({ status: 'alive' }));
  app.get(
    '/ready',
    { schema: schema('Readiness: 503 until the process can answer requests, and once it is about to stop') },
    async () => {
      if (isStopping) throw new HttpProblem('unavailable', 'the process is shutting down');
      const reason = whyNotReady(await lookups.status(now()), maxLagSeconds);
      if (reason !== null) throw new HttpProblem('unavailable', reason);
      return { status: 'ready' };
    },
  );
  app.get(
    '/status',
    {
      schema: { ...schema('Status of the database and the indexed chains'), response: { 200: StatusBody } },
      // The schema only documents the answer.
      serializerCompiler: () => JSON.stringify,
    },
    async () => lookups.status(now()),
  );
  registerMetrics(app, { lookups, render: metrics.render, now });
}
