import type { FastifyInstance } from 'fastify';
import type { Lookups } from '../lookup/lookups.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { Metrics } from './metrics.ts';

export interface Operations {
  readonly lookups: Lookups;
  readonly metrics: Metrics;
  readonly cache: AnswerCache;
}

/** What operators and their tools ask. */
export function registerOperations(app: FastifyInstance, { lookups, metrics, cache }: Operations): void {
  const schema = (summary: string) => ({ summary, tags: ['operations'] });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('Access-Control-Allow-Origin', '*');
  });
  app.get('/health', { schema: schema('Whether the process is alive') }, async () => ({ status: 'alive' }));
  app.get('/ready', { schema: schema('Whether answers can be expected: 503 until then') }, async () => {
    // The database was migrated before the server was built; what can still be missing is the database itself.
    await lookups.status();
    return { status: 'ready' };
  });
  app.get('/status', { schema: schema('How the database stands') }, async () => lookups.status());
  app.get('/metrics', { schema: schema('Metrics for Prometheus') }, async (_request, reply) => {
    const text = await metrics.render(await lookups.status(), cache.bytes);
    return reply.type(metrics.contentType).send(text);
  });
}
