import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createFairQueue, type Refusal } from '../../async/fair-queue.ts';
import { HttpProblem, OVERLOADED } from '../problems.ts';
import { clientKey, type HttpLimits } from './rate-limits.ts';

/** Of the histogram, in milliseconds. Its values include the interval between two samples. */
const RESOLUTION_MS = 10;

/**
 * Rejects requests to the routes of `app` while the event loop is late, which a limit of 0 turns off. It measures the
 * mean delay of each interval of that length. The first interval measures the start, which delays no request.
 */
export function registerOverload(app: FastifyInstance, limits: Pick<HttpLimits, 'maxEventLoopDelayMs'>): void {
  const { maxEventLoopDelayMs } = limits;
  if (maxEventLoopDelayMs === 0) return;
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const measure = () => {
    // Not a number if there was no sample: the event loop was late throughout.
    isLate = !(histogram.mean / 1e6 - RESOLUTION_MS <= maxEventLoopDelayMs);
    histogram.reset();
    timer?.refresh();
  };
  app.addHook('onListen', () => {
    histogram.enable();
    timer = setTimeout(measure, Math.max(RESOLUTION_MS, maxEventLoopDelayMs)).unref();
  });
  app.addHook('onClose', () => {
    clearTimeout(timer);
    histogram.disable();
  });
  app.addHook('onRequest', (_request, _reply, done) => done(isLate ? OVERLOADED : undefined));
}

/** A request that has waited longer is rejected: most clients have given up by then. */
const MAX_WAIT_MS = 10_000;
/** At about 20 ms per query, the last one waits 2 s. */
const MAX_WAITING = 100;

/** Runs little expensive work at once, so that it cannot delay other requests. Each client has a fair share of it. */
export function createRequestQueue(concurrency: number) {
  const queue = createFairQueue({ concurrency, maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS, refuse });
  return {
    ...queue,
    run: <T>(request: FastifyRequest, work: () => Promise<T>) =>
      queue.run(clientKey(request), work, () => request.socket.destroyed),
  };
}

function refuse(reason: Refusal): HttpProblem {
  return reason === 'gone' ? new HttpProblem('client-closed-request', 'the client closed the connection') : OVERLOADED;
}
