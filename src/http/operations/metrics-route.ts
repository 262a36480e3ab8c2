import type { FastifyInstance, FastifySchema } from 'fastify';
import { Registry } from 'prom-client';
import { withDeadline } from '../../async/deadline.ts';
import type { UnixMs } from '../../async/unix-time.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import { CorruptDatabaseError, StoreOverloadedError, StoreUnavailableError } from '../../store/store.ts';
import type { RenderMetrics } from './metrics.ts';

export interface MetricsRouteOptions {
  readonly lookups: Pick<Lookups, 'status' | 'measurements'>;
  readonly render: RenderMetrics;
  readonly now: () => UnixMs;
  readonly schema?: FastifySchema;
}

/** A scrape times out after 10 s by default, and must not wait for a locked table. */
const MAX_READ_MS = 2_000;
/** Lookups report these. */
const DATABASE_ERRORS = [StoreUnavailableError, StoreOverloadedError, CorruptDatabaseError];

/** Serves /metrics. */
export function registerMetrics(
  app: FastifyInstance,
  { lookups, render, now, schema = {} }: MetricsRouteOptions,
): void {
  const readDatabase = async () => ({
    status: await lookups.status(now()),
    measurements: await lookups.measurements(),
  });
  app.get('/metrics', { schema }, async (_request, reply) => {
    const late = () => new StoreUnavailableError('timed out while reading the database');
    const database = await withDeadline(readDatabase(), MAX_READ_MS, late).catch((error: unknown) => {
      // The process metrics matter most while the database does not answer.
      if (DATABASE_ERRORS.some((kind) => error instanceof kind)) return null;
      throw error;
    });
    return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await render(database));
  });
}
