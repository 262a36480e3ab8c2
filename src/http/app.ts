import compress from '@fastify/compress';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { UnixMs } from '../async/unix-time.ts';
import type { Lookups } from '../lookup/lookups.ts';
import { MAX_STREAMS, type Store } from '../store/store.ts';
import { registerExplorer } from './explorer.ts';
import { registerDocs } from './openapi/docs.ts';
import { createMetrics, type MetricsOptions } from './operations/metrics.ts';
import { registerOperations } from './operations/operations.ts';
import { registerOperationsListener } from './operations/operations-listener.ts';
import { registerDemoPictures } from './pages/demo-pictures.ts';
import type { SendDocument } from './pages/document.ts';
import { HttpProblem, reportProblem, sendParseProblem, sendProblem } from './problems.ts';
import { registerBatches } from './routes/batch-route.ts';
import { createBatches } from './routes/batches.ts';
import { registerLookup } from './routes/lookup-route.ts';
import { createRoutes } from './routes/routes.ts';
import { createSendStream } from './routes/streamed-response.ts';
import { compileSerialiser } from './serialise.ts';
import { ENCODINGS, MIN_COMPRESSED_BYTES } from './server/content-encoding.ts';
import { registerCors } from './server/cors.ts';
import { createHeavyLane } from './server/heavy-lane.ts';
import { createHttpServer, type HttpServerOptions } from './server/http-server.ts';
import { registerIncomplete } from './server/incomplete.ts';
import type { HttpLimits } from './server/limits.ts';
import { registerOverload } from './server/overload.ts';
import { type CheckLimit, createRateLimits } from './server/rate-limits.ts';
import { ResponseCache } from './server/response-cache.ts';
import { registerSecurityHeaders } from './server/security-headers.ts';

export interface AppOptions extends HttpServerOptions {
  readonly store: Store;
  readonly lookups: Lookups;
  readonly logger: FastifyBaseLogger;
  /** Memory for cached responses; 0 turns the cache off. */
  readonly cacheBytes: number;
  /** The lag of a chain above which /ready is 503; null if any lag is accepted. */
  readonly maxLagSeconds: number | null;
  readonly limits: HttpLimits;
  /** Where people reach the service, for absolute links to its pages; null if it is not known. */
  readonly publicUrl: string | null;
  readonly now: () => UnixMs;
  /** Metrics of name and badge sources. */
  readonly sourceMetrics?: MetricsOptions['others'];
  /** Collects the metrics of all processes that share the port. */
  readonly createCollect?: MetricsOptions['createCollect'];
}

const API = '/api/v1';
/** Batches whose names are normalised at the same time. */
const NAME_BATCHES = 4;
/** As long as a request line can be, so that `readParameters` rejects long parameters and not the router. */
const MAX_PARAM_LENGTH = 16_384;
/** Limits how much of an unknown path the response repeats. */
const MAX_SHOWN_PATH = 200;

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { store, lookups, logger, cacheBytes, maxLagSeconds, limits, publicUrl, now } = options;
  const cache = new ResponseCache({ maxBytes: cacheBytes, version: store.version, now });
  const httpServer = createHttpServer(limits, options);
  const heavyLane = createHeavyLane(store.heavy.concurrency);
  const metrics = createMetrics({
    store,
    cacheBytes: () => cache.bytes,
    connections: { open: httpServer.connections, dropped: httpServer.dropped },
    heavy: heavyLane,
    others: options.sourceMetrics,
    createCollect: options.createCollect,
  });

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const problem = reportProblem(error, request.url, logger);
    const route = request.routeOptions.url;
    // Answers to probes and of the explorer are not counted, so their failures must not be either.
    if (route === undefined || route.startsWith(API)) {
      metrics.answered(route?.replace(API, '') ?? 'unknown', problem.status, 'NONE');
      metrics.failed(problem.code);
    }
    // The rest of a rejected body is not read.
    if (request.routeOptions.config?.readsBody) reply.header('connection', 'close');
    sendProblem(reply, problem);
  }

  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Requests are not logged, so they need no child loggers.
    childLoggerFactory: (parent) => parent,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    trustProxy: limits.trustProxy,
    serverFactory: httpServer.createServer,
    // A request that arrives on an open connection during shutdown still gets its response.
    return503OnClosing: false,
    clientErrorHandler: sendParseProblem,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
  });
  app.addHook('preClose', httpServer.drain);
  app.setErrorHandler(sendError);
  app.addHook('onRequest', (request, reply, done) => {
    if (hasUnreadBody(request)) reply.header('connection', 'close');
    if (request.method === 'OPTIONS') reply.header('allow', allowedOn(pathOf(request)) ?? ALLOWED_METHODS);
    done();
  });
  ignoreBodies(app);
  const allowedOn = collectAllowedMethods(app);
  const { checkAll, allowFresh } = await createRateLimits(app, limits);
  // `readParameters` validates.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(compileSerialiser);
  registerSecurityHeaders(app);
  await registerCors(app);
  await app.register(compress, {
    threshold: MIN_COMPRESSED_BYTES,
    encodings: [...ENCODINGS],
    globalDecompression: false,
  });
  await registerDocs(app);
  handleUnknownPaths(app, allowedOn, checkAll, await registerExplorer(app, publicUrl));
  registerDemoPictures(app);
  registerOperations(app, { lookups, metrics, maxLagSeconds, now });
  registerOperationsListener(app, httpServer.createServer);
  await app.register(
    async (api) => {
      await registerOverload(api, limits);
      // Before the hook that answers cache hits, which count as well.
      if (checkAll !== null) api.addHook('onRequest', checkAll);
      registerIncomplete(api, lookups.isLoaded);
      const { reader, heavy, streams } = store;
      const shared = {
        ...{ lookups, metrics, reader, heavyReader: heavy.reader, runHeavy: heavyLane.run, streams },
        // Slow clients of long responses keep half of the streams, and not those of short ones.
        runStream: createHeavyLane(MAX_STREAMS / 2).run,
        sendStream: createSendStream(MAX_STREAMS / 2),
      };
      for (const [group, routes] of Object.entries(createRoutes(lookups, now))) {
        for (const route of routes) registerLookup(api, group, route, { ...shared, cache, allowFresh });
      }
      const runNames = createHeavyLane(NAME_BATCHES).run;
      await registerBatches(api, createBatches(lookups), { ...shared, runNames });
    },
    { prefix: API },
  );
  return app;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readsBody?: boolean;
  }
}

/** Whether a body may follow that is not read, so that the connection cannot be reused. */
function hasUnreadBody({ headers, routeOptions }: FastifyRequest): boolean {
  if (routeOptions.config.readsBody) return false;
  const { 'transfer-encoding': transferEncoding, 'content-length': contentLength = '0' } = headers;
  return transferEncoding !== undefined || contentLength !== '0';
}

/** Nothing can be written, so a response does not wait for the body. */
function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
}

const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** Returns the methods that are allowed on a path, for the Allow header; undefined for an unknown path. */
function collectAllowedMethods(app: FastifyInstance): (path: string) => string | undefined {
  const known: { pattern: RegExp; allowed: string }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    if (method !== 'GET' && method !== 'POST') return;
    const pattern = url
      .replaceAll('.', '\\.')
      .replace(/:[^/]+/g, '[^/]+')
      .replace('*', '.*');
    known.push({ pattern: new RegExp(`^${pattern}$`), allowed: method === 'GET' ? ALLOWED_METHODS : 'POST, OPTIONS' });
  });
  return (path) => known.find(({ pattern }) => pattern.test(path))?.allowed;
}

/** 405 for another method on a known path, 404 for an unknown path: a page of the explorer for browsers. */
function handleUnknownPaths(
  app: FastifyInstance,
  allowedOn: (path: string) => string | undefined,
  checkLimit: CheckLimit | null,
  sendDocument: SendDocument | null,
): void {
  app.setNotFoundHandler(async (request, reply) => {
    await checkLimit?.(request, reply);
    const path = pathOf(request);
    const shown = path.slice(0, MAX_SHOWN_PATH);
    const allow = allowedOn(path);
    reply.header('vary', 'Accept');
    if (sendDocument !== null && allow === undefined && isNavigation(request)) return sendDocument(reply.code(404));
    throw allow === undefined || allow.split(', ').includes(request.method)
      ? new HttpProblem('unknown-path', `no route for ${shown}`)
      : new HttpProblem('method-not-allowed', `${request.method} is not allowed on ${shown}`, { headers: { allow } });
  });
}

/** Whether a browser loads a page, and not a program or a script of a page. */
function isNavigation({ method, headers, url }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !url.startsWith('/api/') && /\btext\/html\b/i.test(headers.accept ?? '');
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? url;
}
