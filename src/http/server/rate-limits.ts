import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from '../problems.ts';
import type { HttpLimits, RateLimit } from './limits.ts';

export type CheckLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Limits the requests of each client address to the routes of `app`. Returns the check for `cache=fresh`. */
export async function registerRateLimits(app: FastifyInstance, limits: HttpLimits): Promise<CheckLimit> {
  await app.register(rateLimit, { global: false });
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
  // Before the hook that answers cache hits, which count as well.
  const { rateLimit: all, freshRateLimit: fresh } = limits;
  if (all !== null) app.addHook('onRequest', check(all, 'requests'));
  return fresh === null ? async () => undefined : check(fresh, 'requests with cache=fresh');
}
