import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import type { HttpLimits } from './limits.ts';
import { HttpProblem } from './problems.ts';

/** How soon requests are accepted again after the delay has fallen. */
const SAMPLE_MS = 250;

/** Rejects requests to the routes of `app` while the event loop is late, which a limit of 0 turns off. */
export async function registerOverload(app: FastifyInstance, { maxEventLoopDelayMs }: HttpLimits): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    sampleInterval: SAMPLE_MS,
    pressureHandler() {
      throw new HttpProblem('overloaded', 'the service is overloaded, retry later', {
        headers: { 'retry-after': '1' },
      });
    },
  });
}
