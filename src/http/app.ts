import compress from '@fastify/compress';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Lookups } from '../lookup/lookups.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { Store } from '../store/store.ts';
import { createBatcher } from './batcher.ts';
import { ENCODINGS, MIN_COMPRESSED_BYTES } from './content-encoding.ts';
import { ALLOWED_METHODS, registerCors } from './cors.ts';
import { registerDocs } from './docs.ts';
import { createHttpServer } from './http-server.ts';
import { registerLookup } from './lookup-route.ts';
import { createMetrics, type MetricsOptions } from './metrics.ts';
import { registerOperations } from './operations.ts';
import { HttpProblem, problemOf, sendParseProblem, sendProblem } from './problems.ts';
import { ResponseCache } from './response-cache.ts';
import { createRoutes } from './routes.ts';

export interface AppOptions {
  readonly store: Store;
  readonly lookups: Lookups;
  readonly logger: FastifyBaseLogger;
  /** Memory for cached responses; 0 turns the cache off. */
  readonly cacheBytes: number;
  /** Chains that an indexer is expected to follow: /ready is 503 until they are caught up. */
  readonly indexedChains: readonly number[];
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Collects the metrics of all processes that share the port. */
  readonly createCollect?: MetricsOptions['createCollect'];
}

const API = '/api/v1';
/** As long as a request line can be, so that `readParameters` rejects long parameters and not the router. */
const MAX_PARAM_LENGTH = 16_384;
/** Limits how much of an unknown path the response repeats. */
const MAX_SHOWN_PATH = 200;

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { store, lookups, logger, cacheBytes, indexedChains, now } = options;
  const cache = new ResponseCache({ maxBytes: cacheBytes, version: store.version, now });
  const metrics = createMetrics({ cacheBytes: () => cache.bytes, createCollect: options.createCollect });
  const httpServer = createHttpServer();

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const problem = problemOf(error);
    // An HttpProblem is an expected response. Outages of a remote source are logged by its client, once.
    if (problem !== error && problem.status >= 500 && !(error instanceof RemoteError)) {
      logger.error({ err: error, url: request.url }, problem.message);
    }
    metrics.answered(request.routeOptions.url?.replace(API, '') ?? 'unknown', problem.status, 'NONE');
    sendProblem(reply, problem);
  }

  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Nothing logs per request, so a child logger for each would be made in vain.
    childLoggerFactory: (parent) => parent,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    serverFactory: httpServer.createServer,
    // A request that arrives on an open connection during shutdown still gets its response.
    return503OnClosing: false,
    clientErrorHandler: sendParseProblem,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
  });
  app.addHook('preClose', httpServer.drain);
  app.setErrorHandler(sendError);
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request)) reply.header('connection', 'close');
    if (request.method === 'OPTIONS') reply.header('allow', ALLOWED_METHODS);
    done();
  });
  ignoreBodies(app);
  handleUnknownPaths(app);
  // `readParameters` validates; the schemas only document the routes.
  app.setValidatorCompiler(() => () => true);
  await registerCors(app);
  await app.register(compress, {
    threshold: MIN_COMPRESSED_BYTES,
    encodings: [...ENCODINGS],
    globalDecompression: false,
  });
  await registerDocs(app);
  registerOperations(app, { lookups, metrics, indexedChains, now });
  await app.register(
    async (api) => {
      const batch = createBatcher(store.reader.inSnapshot);
      for (const route of createRoutes(lookups, now)) registerLookup(api, route, { cache, metrics, batch });
    },
    { prefix: API },
  );
  return app;
}

/** Whether a body may follow: it is never read, so the connection cannot be reused. */
function hasBody({ headers }: FastifyRequest): boolean {
  const { 'transfer-encoding': transferEncoding, 'content-length': contentLength = '0' } = headers;
  return transferEncoding !== undefined || contentLength !== '0';
}

/** Nothing can be written, so a response does not wait for the body. */
function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
}

/** 405 for another method on a known path, 404 for an unknown path. */
function handleUnknownPaths(app: FastifyInstance): void {
  const known: RegExp[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    if (method !== 'GET') return;
    const pattern = url
      .replaceAll('.', '\\.')
      .replace(/:[^/]+/g, '[^/]+')
      .replace('*', '.*');
    known.push(new RegExp(`^${pattern}$`));
  });
  app.setNotFoundHandler((request) => {
    const [path = ''] = request.url.split('?', 1);
    const shown = path.slice(0, MAX_SHOWN_PATH);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    throw !isRead && known.some((pattern) => pattern.test(path))
      ? new HttpProblem('method-not-allowed', `${request.method} is not allowed on ${shown}`)
      : new HttpProblem('unknown-path', `no route for ${shown}`);
  });
}
