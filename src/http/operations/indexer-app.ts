import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { Gauge } from 'prom-client';
import type { UnixMs } from '../../async/unix-time.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import type { Store } from '../../store/store.ts';
import { HttpProblem, reportProblem, sendProblem } from '../problems.ts';
import { createRequestIds } from '../server/request-id.ts';
import { createProcessRegistry, renderDatabaseMetrics } from './metrics.ts';
import { readStatus, registerMetrics } from './operations.ts';

export interface IndexerAppOptions {
  readonly engine: Store['engine'];
  readonly lookups: Pick<Lookups, 'status' | 'measurements' | 'databaseFault'>;
  readonly logger: FastifyBaseLogger;
  readonly now: () => UnixMs;
  /** Whether this process indexes; otherwise it stands by. */
  readonly isActive: () => boolean;
}

/** The probes and metrics of an indexing process. A process that stands by is healthy and ready. */
export function buildIndexerApp({ engine, lookups, logger, now, isActive }: IndexerAppOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds({ trustProxy: false }),
    forceCloseConnections: true,
  });
  app.setErrorHandler((error, request, reply) => sendProblem(reply, reportProblem(error, request, logger)));
  app.setNotFoundHandler(({ url }) => {
    throw new HttpProblem('unknown-path', `no route for ${url}`);
  });
  const registry = createProcessRegistry(engine);
  new Gauge({
    name: 'kith_indexer_active',
    help: '1 if this process indexes, 0 if it stands by for another one.',
    registers: [registry],
    collect() {
      this.set(isActive() ? 1 : 0);
    },
  });
  app.get('/health', async () => ({ status: 'alive' }));
  app.get('/ready', async () => {
    const { databaseFault } = await readStatus(lookups, now());
    return { status: isActive() ? 'active' : 'standby', databaseFault };
  });
  app.get('/status', async () => readStatus(lookups, now()));
  registerMetrics(app, {
    lookups,
    render: async (database) => `${await registry.metrics()}\n${await renderDatabaseMetrics(database)}`,
    now,
  });
  return app;
}
