import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { Problem } from '../contract/schemas.ts';
import type { Lookups } from '../lookup/lookups.ts';
import { ProblemError } from '../lookup/problem.ts';
import type { Store } from '../store/store.ts';
import { AnswerCache } from './answer-cache.ts';
import { type Answerer, createAnswerer } from './answer-route.ts';
import { registerDocs } from './docs.ts';
import { exchangeOf } from './exchange.ts';
import { createRouteFinder } from './find-route.ts';
import { createFront } from './front.ts';
import { createMetrics, type MetricsOptions } from './metrics.ts';
import { registerOperations } from './operations.ts';
import { cache as cacheParameter, type Parameters } from './parameters.ts';
import { sendParseProblem } from './problems.ts';
import { createRoutes, type Route } from './routes.ts';

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
  /** For the metrics of all processes that share the port, if there are several. */
  readonly createCollect?: MetricsOptions['createCollect'];
}

const API = '/api/v1';
/** As long as a request line can be: a longer parameter never gets here. */
const MAX_PARAMETER_LENGTH = 16_384;
/** How much of a wrong path is repeated in the answer. */
const MAX_SHOWN = 200;

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { store, lookups, logger, cacheBytes, indexedChains, now } = options;
  const cache = new AnswerCache({ maxBytes: cacheBytes, version: store.version, now });
  const metrics = createMetrics({ cacheBytes: () => cache.bytes, createCollect: options.createCollect });
  const answerer = createAnswerer({ cache, metrics, logger });
  const routes = createRoutes(lookups, now);
  const findRoute = createRouteFinder(API, routes);
  const front = createFront({ cache, metrics, answerer, findRoute, inSnapshot: store.reader.inSnapshot });
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    serverFactory: front.createServer,
    clientErrorHandler: sendParseProblem,
    frameworkErrors: (error, request, reply) => refuse(request, reply, error, answerer),
  });
  app.addHook('preClose', async () => front.drain());
  // Nothing can be written, so bodies are not read: the answer does not wait for one.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  // Parameters are read by `readParameters`, which says what is wrong in our words; schemas document.
  app.setValidatorCompiler(() => () => true);
  app.setErrorHandler((error, request, reply) => refuse(request, reply, error, answerer));
  refuseUnknownPaths(app, answerer);
  await registerDocs(app);
  registerOperations(app, { lookups, metrics, indexedChains, now });
  for (const route of routes) registerRoute(app, route, answerer);
  return app;
}

const PROBLEM = {
  description: 'The question cannot be answered.',
  content: { 'application/problem+json': { schema: Problem } },
};

/** Describes a route, and answers those requests for it that are written in a way which only the framework reads. */
function registerRoute(app: FastifyInstance, route: Route, answerer: Answerer): void {
  const schema = {
    summary: route.summary,
    params: schemaOf(route.params),
    querystring: schemaOf({ ...route.query, cache: cacheParameter }),
    response: { 200: route.response, '4xx': PROBLEM, '5xx': PROBLEM },
  };
  app.get(API + route.path, { schema }, async ({ params, query, raw }, reply) => {
    reply.hijack();
    // Safe: the framework's parsers make objects of texts.
    await answerer.answer(
      route,
      params as Record<string, unknown>,
      query as Record<string, unknown>,
      exchangeOf(raw, reply.raw),
    );
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

function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown, answerer: Answerer): void {
  reply.hijack();
  answerer.refuse(request.routeOptions.url?.replace(API, '') ?? 'unknown', error, exchangeOf(request.raw, reply.raw));
}

/** Tells a path that can be read but not written from one that is not there. */
function refuseUnknownPaths(app: FastifyInstance, answerer: Answerer): void {
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
    refuse(request, reply, problem, answerer);
  });
}
