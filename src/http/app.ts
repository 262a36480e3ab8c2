import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { Problem } from '../contract/schemas.ts';
import type { Lookups } from '../lookup/lookups.ts';
import { PROBLEMS, ProblemError } from '../lookup/problem.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { Store } from '../store/store.ts';
import { AnswerCache, withoutFresh } from './answer-cache.ts';
import { registerDocs } from './docs.ts';
import { createFrontServer, drainConnections } from './front.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { registerOperations } from './operations.ts';
import { cache as cacheParameter, type Parameters, readParameters } from './parameters.ts';
import { problemOf, sendParseProblem, sendProblem } from './problems.ts';
import { createRoutes, type Route } from './routes.ts';
import { sendAnswer } from './send-answer.ts';

export interface AppOptions {
  readonly store: Store;
  readonly lookups: Lookups;
  readonly logger: FastifyBaseLogger;
  /** Memory for cached answers; 0 switches the cache off. */
  readonly cacheBytes: number;
  /** Chains that somebody is expected to index: until they are caught up, the service is not ready. */
  readonly indexedChains: readonly number[];
  /** Unix milliseconds. */
  readonly now: () => number;
}

const API = '/api/v1';
/** As long as a request line can be: a longer parameter never gets here. */
const MAX_PARAMETER_LENGTH = 16_384;
/** How much of a wrong path is repeated in the answer. */
const MAX_SHOWN = 200;

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { store, lookups, logger, cacheBytes, indexedChains, now } = options;
  const cache = new AnswerCache({ maxBytes: cacheBytes, version: store.version, now });
  const metrics = createMetrics();
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    serverFactory: (handler) => createFrontServer({ cache, metrics }, handler),
    clientErrorHandler: sendParseProblem,
    frameworkErrors: (error, request, reply) => answerProblem(request, reply, error, metrics),
  });
  const drain = drainConnections(app.server);
  app.addHook('preClose', async () => drain());
  // Nothing can be written, so bodies are not read: the answer does not wait for one.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  // Parameters are read by `readParameters`, which says what is wrong in our words; schemas document.
  app.setValidatorCompiler(() => () => true);
  app.setErrorHandler((error, request, reply) => answerProblem(request, reply, error, metrics));
  answerUnknownPaths(app, metrics);
  await registerDocs(app);
  registerOperations(app, { lookups, metrics, cache, indexedChains, now });
  for (const route of createRoutes(lookups, now)) registerRoute(app, route, { cache, metrics });
  return app;
}

const PROBLEM = {
  description: 'The question cannot be answered.',
  content: { 'application/problem+json': { schema: Problem } },
};

function registerRoute(app: FastifyInstance, route: Route, deps: { cache: AnswerCache; metrics: Metrics }): void {
  const query = { ...route.query, cache: cacheParameter };
  const schema = {
    summary: route.summary,
    params: schemaOf(route.params),
    querystring: schemaOf(query),
    response: { 200: route.response, '4xx': PROBLEM, '5xx': PROBLEM },
  };
  app.get(API + route.path, { schema }, async (request, reply) => {
    const began = process.hrtime.bigint();
    const given = request.query as Record<string, unknown>;
    const params = readParameters(route.params, request.params as Record<string, unknown>);
    const { cache: fresh, ...values } = readParameters(query, given) as { cache: boolean };
    // Before the data version is looked at, for it may raise it.
    if (fresh) await route.renew?.(params);
    const answer = await deps.cache.make({
      url: request.url,
      keptAs: fresh ? withoutFresh(request.url) : request.url,
      route: route.path,
      dependsOnClock: route.dependsOnClock?.(given, params) ?? false,
      ask: () => route.answer(params, values as never),
    });
    const state = fresh ? 'FRESH' : 'MISS';
    reply.hijack();
    const status = sendAnswer(request.raw, reply.raw, answer, state);
    deps.metrics.answered(route.path, status, state, Number(process.hrtime.bigint() - began) / 1e9);
  });
}

function schemaOf(parameters: Parameters): object {
  const entries = Object.entries(parameters);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.filter(([, { absent }]) => absent === undefined).map(([name]) => name),
  };
}

function answerProblem(request: FastifyRequest, reply: FastifyReply, error: unknown, metrics: Metrics): void {
  const problem = problemOf(error);
  // A problem that was thrown as one says all there is to say: a service that is not ready yet, for one.
  const isFailure = problem !== error && PROBLEMS[problem.code].status >= 500;
  // Whoever asks a source says so when it fails, once.
  if (isFailure && !(error instanceof RemoteError))
    request.log.error({ err: error, url: request.url }, problem.message);
  reply.hijack();
  const status = sendProblem(request.raw, reply.raw, problem);
  metrics.answered(request.routeOptions.url?.replace(API, '') ?? 'unknown', status, 'NONE');
}

/** Tells a path that can be read but not written from one that is not there. */
function answerUnknownPaths(app: FastifyInstance, metrics: Metrics): void {
  const known: RegExp[] = [];
  app.addHook('onRoute', ({ url }) => {
    const pattern = url
      .replaceAll('.', '\\.')
      .replace(/:[^/]+/g, '[^/]+')
      .replace('*', '.*');
    known.push(new RegExp(`^${pattern}$`));
  });
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const problem =
      !isRead && known.some((pattern) => pattern.test(path))
        ? new ProblemError('method-not-allowed', `${path.slice(0, MAX_SHOWN)} can only be read`)
        : new ProblemError('unknown-path', `there is nothing at ${path.slice(0, MAX_SHOWN)}`);
    answerProblem(request, reply, problem, metrics);
  });
}
