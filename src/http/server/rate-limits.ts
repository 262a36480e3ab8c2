import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from '../problems.ts';
import { clientKey } from './client-key.ts';
import type { HttpLimits, RateLimit } from './limits.ts';

export type CheckLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface RateLimits {
  /** Counts every request; null without a limit. */
  readonly checkAll: CheckLimit | null;
  /** Counts requests with `cache=fresh`. */
  readonly checkFresh: CheckLimit;
}

/** Limits on the requests of each client address. */
export async function createRateLimits(app: FastifyInstance, limits: HttpLimits): Promise<RateLimits> {
  await app.register(rateLimit, { global: false, keyGenerator: clientKey });
  const check = (limit: RateLimit, what: string): CheckLimit => {
    const count = app.createRateLimit({ max: limit.requests, timeWindow: limit.seconds * 1000 });
    return async (request, reply) => {
      const counted = await count(request);
      if (counted.isAllowed) return;
      const headers = {
        'ratelimit-limit': `${counted.max}`,
        'ratelimit-remaining': `${counted.remaining}`,
        'ratelimit-reset': `${counted.ttlInSeconds}`,
      };
      if (!counted.isExceeded) return void reply.headers(headers);
      throw new HttpProblem('rate-limited', `more than ${limit.requests} ${what} in ${limit.seconds} seconds`, {
        headers: { ...headers, 'retry-after': `${counted.ttlInSeconds}` },
      });
    };
  };
  const { rateLimit: all, freshRateLimit: fresh } = limits;
  return {
    checkAll: all && check(all, 'requests'),
    checkFresh: fresh === null ? async () => undefined : check(fresh, 'requests with cache=fresh'),
  };
}
