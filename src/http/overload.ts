import type { FastifyInstance } from 'fastify';
import type { HttpLimits } from './limits.ts';
import { OVERLOADED } from './problems.ts';

/** How soon lookups are accepted again after the event loop has caught up. */
const TICK_MS = 100;

/** Rejects requests to the routes of `app` while the event loop is late, which a limit of 0 turns off. */
export function registerOverload(app: FastifyInstance, { maxEventLoopDelayMs }: HttpLimits): void {
  if (maxEventLoopDelayMs === 0) return;
  let expected = performance.now() + TICK_MS;
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  // Not before: a start takes long, and delays no request.
  app.addHook('onListen', () => {
    expected = performance.now() + TICK_MS;
    timer = setInterval(() => {
      const now = performance.now();
      isLate = now - expected > maxEventLoopDelayMs;
      expected = now + TICK_MS;
    }, TICK_MS).unref();
  });
  app.addHook('onClose', () => clearInterval(timer));
  app.addHook('onRequest', (_request, _reply, done) => {
    const isBlocked = timer !== undefined && performance.now() - expected > maxEventLoopDelayMs;
    if (!isLate && !isBlocked) return done();
    done(OVERLOADED);
  });
}
