import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptionsWithHandler } from 'fastify';
import { createRequestContext } from '../../remote/request-context.ts';
import { lookupSchema } from '../openapi/operation-schema.ts';
import type { Metrics } from '../operations/metrics.ts';
import type { Group, Route } from '../routes/route.ts';
import { clientKey } from '../server/rate-limits.ts';
import type { Answer, Answers } from './answers.ts';
import { parse } from './parse.ts';
import type { createResolve } from './resolve.ts';
import { prepare } from './send.ts';

export interface PipelineOptions extends ReturnType<typeof createResolve> {
  readonly answers: Answers;
  readonly metrics: Metrics;
}

const MAX_BODY_BYTES = 128 * 1024;

export async function registerLookups(
  app: FastifyInstance,
  groups: Readonly<Record<Group, readonly Route[]>>,
  { renew, resolve, answers, metrics }: PipelineOptions,
): Promise<void> {
  /** The stages of a request. Each takes what the one before returns. */
  async function answer(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const start = performance.now();
    const asked = parse(route, request);
    const renewed = await renew(asked, request, reply);
    const resolved = await resolve(renewed, request);
    const answer = await answers.get(resolved, request);
    return send(reply, answer, start);
  }

  async function send(reply: FastifyReply, answer: Answer, start: number): Promise<FastifyReply> {
    const body = await prepare(reply, answer, answers.compress);
    const { route, state } = answer;
    // Hits are not timed.
    const seconds = state === 'HIT' ? undefined : (performance.now() - start) / 1000;
    metrics.answered(route.path, reply.statusCode, state, seconds);
    return reply.send(body);
  }

  /** Work that sources do for a request is done on behalf of its client, within the time of one request. */
  const handlerOf = (route: Route) => (request: FastifyRequest, reply: FastifyReply) =>
    createRequestContext(() => clientKey(request))(() => answer(route, request, reply));

  function registerGet(group: Group, route: Route): void {
    const options: RouteShorthandOptionsWithHandler = {
      // @fastify/compress would compress a cached body again for each request.
      compress: false,
      // A hook is cheaper than the whole lifecycle.
      async onRequest(request, reply) {
        await nextTurn();
        const known = answers.recall(request.url);
        if (known !== undefined) return send(reply, known, 0);
      },
      handler: handlerOf(route),
    };
    // Fastify's own HEAD routes send a Content-Length of 0 with a 304.
    app.get(route.path, { ...options, schema: lookupSchema(group, route), exposeHeadRoute: false });
    app.head(route.path, { ...options, schema: { hide: true } });
  }

  const all = Object.entries(groups).flatMap(([group, routes]) =>
    // Safe: the keys are groups.
    routes.map((route) => ({ group: group as Group, route })),
  );
  for (const { group, route } of all) if (route.body === undefined) registerGet(group, route);
  // In a scope of its own: no other route parses a body.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const limits = { parseAs: 'string', bodyLimit: MAX_BODY_BYTES } as const;
    scope.addContentTypeParser('application/json', limits, async (_request: FastifyRequest, body: string) => body);
    for (const { group, route } of all) {
      if (route.body === undefined) continue;
      const options = { compress: false, config: { readsBody: true }, schema: lookupSchema(group, route) } as const;
      scope.post(route.path, { ...options, preHandler: nextTurn, handler: handlerOf(route) });
    }
  });
}

let turn: Promise<void> | undefined;

/**
 * Resolves after all requests that have arrived were parsed. Lookups then run one after another instead of in between
 * the reads and writes of sockets, with warm caches of the processor: a page of followers takes 222 instead of 400 µs of
 * CPU, and 46 instead of 71 from the cache (32 connections).
 */
function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}
