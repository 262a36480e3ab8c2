import type { FastifyInstance } from 'fastify';
import type { Lookups } from '../lookup/lookups.ts';
import { ProblemError } from '../lookup/problem.ts';
import type { ChainStatus } from '../lookup/status.ts';
import { StoreUnavailableError } from '../store/store.ts';
import type { Metrics } from './metrics.ts';

export interface Operations {
  readonly lookups: Lookups;
  readonly metrics: Metrics;
  /** Chains that somebody is expected to index. */
  readonly indexedChains: readonly number[];
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Further behind than this, answers are too old to be sent to people. */
const MAX_LAG_SECONDS = 60;

/** What operators and their tools ask. */
export function registerOperations(app: FastifyInstance, operations: Operations): void {
  const { lookups, metrics, indexedChains, now } = operations;
  const readDatabase = async () => ({ status: await lookups.status(now()), counters: await lookups.counters() });
  const schema = (summary: string) => ({ summary, tags: ['operations'] });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('Access-Control-Allow-Origin', '*');
  });
  app.get('/health', { schema: schema('Whether the process is alive') }, async () => ({ status: 'alive' }));
  app.get('/ready', { schema: schema('Whether answers can be expected: 503 until then') }, async () => {
    // The database was migrated before the server was built; it may be out of reach, or behind the chains.
    const { chains, counts } = await lookups.status(now());
    if (counts.unfoldedLogs > 0) throw new ProblemError('unavailable', 'the graph is being made from the stored logs');
    const behind = indexedChains.map((chainId) => describeLag(chainId, chains)).filter((lag) => lag !== null);
    if (behind.length > 0) throw new ProblemError('unavailable', `not caught up: ${behind.join(', ')}`);
    return { status: 'ready' };
  });
  app.get('/status', { schema: schema('How the database stands') }, async () => lookups.status(now()));
  app.get('/metrics', { schema: schema('Metrics for Prometheus') }, async (_request, reply) => {
    const database = await readDatabase().catch((error: unknown) => {
      // The process's own numbers matter most when the database is gone.
      if (error instanceof StoreUnavailableError) return null;
      throw error;
    });
    return reply.type(metrics.contentType).send(await metrics.render(database));
  });
}

function describeLag(chainId: number, chains: readonly ChainStatus[]): string | null {
  const chain = chains.find((known) => known.chainId === chainId);
  if (chain === undefined || chain.lagSeconds === null) return `chain ${chainId} has not been read yet`;
  if (chain.lagSeconds <= MAX_LAG_SECONDS) return null;
  return `chain ${chainId} is ${chain.lagBlocks} blocks and ${chain.lagSeconds} seconds behind`;
}
