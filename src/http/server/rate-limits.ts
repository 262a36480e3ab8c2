import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from '../problems.ts';
import { clientKey } from './client-key.ts';
import type { HttpLimits, RateLimit } from './limits.ts';

export type CheckLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Whether a request with `cache=fresh` may ask the sources. */
export type AllowFresh = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

export interface RateLimits {
  /** Counts every request and rejects those above the limit; null without a limit. */
  readonly checkAll: CheckLimit | null;
  /** Counts requests with `cache=fresh`. */
  readonly allowFresh: AllowFresh;
}

/** Limits on the requests of each client address. */
export async function createRateLimits(app: FastifyInstance, limits: HttpLimits): Promise<RateLimits> {
  await app.register(rateLimit, { global: false, keyGenerator: clientKey });
  /** Counts a request, sets the headers of the limit, and returns the seconds until it is reset if it is exceeded. */
  const counter = ({ requests, seconds }: RateLimit) => {
    const count = app.createRateLimit({ max: requests, timeWindow: seconds * 1000 });
    return async (request: FastifyRequest, reply: FastifyReply): Promise<number | null> => {
      const counted = await count(request);
      if (counted.isAllowed) return null;
      reply.headers({
        'ratelimit-limit': `${counted.max}`,
        'ratelimit-remaining': `${counted.remaining}`,
        'ratelimit-reset': `${counted.ttlInSeconds}`,
      });
      return counted.isExceeded ? counted.ttlInSeconds : null;
    };
  };
  const createCheck = (limit: RateLimit): CheckLimit => {
    const count = counter(limit);
    return async (request, reply) => {
      const resetAfter = await count(request, reply);
      if (resetAfter === null) return;
      throw new HttpProblem('rate-limited', `more than ${limit.requests} requests in ${limit.seconds} seconds`, {
        headers: { 'retry-after': `${resetAfter}` },
      });
    };
  };
  const createAllow = (limit: RateLimit): AllowFresh => {
    const count = counter(limit);
    return async (request, reply) => (await count(request, reply)) === null;
  };
  const { rateLimit: all, freshRateLimit: fresh } = limits;
  return {
    checkAll: all && createCheck(all),
    allowFresh: fresh === null ? async () => true : createAllow(fresh),
  };
}
