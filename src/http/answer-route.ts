import type { FastifyBaseLogger } from 'fastify';
import { PROBLEMS } from '../lookup/problem.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { type AnswerCache, withoutFresh } from './answer-cache.ts';
import type { Exchange } from './exchange.ts';
import type { Metrics } from './metrics.ts';
import { cache as cacheParameter, readParameters } from './parameters.ts';
import { problemOf, sendProblem } from './problems.ts';
import type { Route } from './routes.ts';
import { sendAnswer } from './send-answer.ts';

type Given = Readonly<Record<string, unknown>>;

/** Answers requests, whoever has found out which route they are for. */
export interface Answerer {
  /** Sends an answer or a problem; never rejects. */
  answer(route: Route, params: Given, query: Given, exchange: Exchange): Promise<void>;
  /** Sends what kept a request from being answered. */
  refuse(path: string, error: unknown, exchange: Exchange): void;
}

export interface AnswererOptions {
  readonly cache: AnswerCache;
  readonly metrics: Metrics;
  readonly logger: FastifyBaseLogger;
}

export function createAnswerer({ cache, metrics, logger }: AnswererOptions): Answerer {
  function refuse(path: string, error: unknown, exchange: Exchange): void {
    const problem = problemOf(error);
    // A problem that was thrown as one says all there is to say: a service that is not ready yet, for one.
    const isFailure = problem !== error && PROBLEMS[problem.code].status >= 500;
    // Whoever asks a source says so when it fails, once.
    if (isFailure && !(error instanceof RemoteError)) logger.error({ err: error, url: exchange.url }, problem.message);
    metrics.answered(path, sendProblem(exchange, problem), 'NONE');
  }

  async function answer(route: Route, params: Given, query: Given, exchange: Exchange) {
    const began = performance.now();
    try {
      const { url } = exchange;
      const path = readParameters(route.params, params);
      const values = readParameters(route.query, query);
      const isFresh = readParameters({ cache: cacheParameter }, query).cache;
      // Before the data version is looked at, for it may raise it.
      if (isFresh) await route.renew?.(path);
      const made = await cache.make({
        url,
        keptAs: isFresh ? withoutFresh(url) : url,
        route: route.path,
        dependsOnClock: route.dependsOnClock?.(query, path) ?? false,
        ask: () => route.answer(path, values),
      });
      const state = isFresh ? 'FRESH' : 'MISS';
      const status = sendAnswer(exchange, made, state);
      metrics.answered(route.path, status, state, (performance.now() - began) / 1000);
    } catch (error) {
      refuse(route.path, error, exchange);
    }
  }

  return { answer, refuse };
}
