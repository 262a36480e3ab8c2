import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { OVERLOADED } from '../problems.ts';
import type { HttpLimits } from './limits.ts';

/** Rejects requests to the routes of `app` while the event loop is late, which a limit of 0 turns off. */
export async function registerOverload(
  app: FastifyInstance,
  { maxEventLoopDelayMs }: Pick<HttpLimits, 'maxEventLoopDelayMs'>,
): Promise<void> {
  if (maxEventLoopDelayMs === 0) return;
  let measuredFrom = Number.POSITIVE_INFINITY;
  app.addHook('onListen', () => {
    measuredFrom = performance.now() + maxEventLoopDelayMs;
  });
  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    // The plugin takes an interval without a sample for an endless delay, so a shorter one would reject too early.
    sampleInterval: maxEventLoopDelayMs,
    pressureHandler() {
      // The first interval measures the start, which delays no request.
      if (performance.now() >= measuredFrom) throw OVERLOADED;
    },
  });
}
