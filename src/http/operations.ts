import type { FastifyInstance } from 'fastify';
import { type Status, StatusBody } from '../contract/status-schema.ts';
import type { Lookups } from '../lookup/lookups.ts';
import type { Metrics } from './metrics.ts';
import { registerMetrics } from './metrics-route.ts';
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

/** Endpoints for operators: health, readiness, status and metrics. */
export function registerOperations(app: FastifyInstance, operations: Operations): void {
  const { lookups, metrics, indexedChains, now } = operations;
  const schema = (summary: string) => ({ summary, tags: ['operations'] });
  app.get('/health', { schema: schema('Liveness of the process') }, async () => ({ status: 'alive' }));
  app.get(
    '/ready',
    { schema: schema('Readiness: 503 until the graph is built and the chains are caught up') },
    async () => {
      const status = await lookups.status(now());
      if (status.counts.unfoldedLogs > 0)
        throw new HttpProblem('unavailable', 'the graph is being rebuilt from the stored logs');
      const behind = indexedChains.map((chainId) => describeLag(chainId, status)).filter((lag) => lag !== null);
      if (behind.length > 0) throw new HttpProblem('unavailable', `not caught up: ${behind.join('; ')}`);
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
