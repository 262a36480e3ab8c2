import { tmpdir } from 'node:os';
import compress from '@fastify/compress';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { MonotonicMs, UnixMs } from '../async/unix-time.ts';
import { createHub, type EventLimits } from '../live/hub.ts';
import type { Lookups } from '../lookup/lookups.ts';
import type { Deployment } from '../protocol/deployments.ts';
import type { Store } from '../store/store.ts';
import { versionKey } from '../store/versions.ts';
import { registerMcp } from './agents/register-mcp.ts';
import { registerEvents, SLOW_READER, sendProblemEvent } from './events/register-events.ts';
import { registerDocs } from './openapi/docs.ts';
import { createMetrics, type MetricsOptions } from './operations/metrics.ts';
import { registerOperations, registerOperationsListener } from './operations/operations.ts';
import { registerApiIndex } from './pages/api-index.ts';
import { registerDemoPictures } from './pages/cards.ts';
import { type ExplorerOptions, registerExplorer } from './pages/explorer.ts';
import { registerMarkdownDocs } from './pages/markdown-docs.ts';
import { reportProblem, sendParseProblem, sendProblem } from './problems.ts';
import { createAnswers } from './request/answers.ts';
import { createBlockWaits } from './request/block-waits.ts';
import type { Source } from './request/parameters.ts';
import { registerLookups } from './request/pipeline.ts';
import { createResolve } from './request/resolve.ts';
import { ENCODINGS, MIN_COMPRESSED_BYTES } from './request/response-cache.ts';
import { compileSerialiser } from './request/serialise.ts';
import { createRoutes } from './routes/routes.ts';
import { handleUnknownPaths, registerHeaders, registerIncomplete, registerMethods } from './server/hooks.ts';
import { createHttpServer, DRAIN_TIMEOUT_MS, type HttpServerOptions } from './server/http-server.ts';
import { type HttpLimits, registerOverload, registerRateLimits } from './server/limits.ts';
import { createRequestIds } from './server/request-id.ts';

export interface AppOptions extends HttpServerOptions, ExplorerOptions {
  readonly store: Store;
  readonly lookups: Lookups;
  readonly logger: FastifyBaseLogger;
  /** Memory for cached responses; 0 turns the cache off. */
  readonly cacheBytes: number;
  /** Temporary files for long responses that wait for their clients. */
  readonly spoolBytes: number;
  /** The lag of a chain above which /ready is 503; null if any lag is accepted. */
  readonly maxLagSeconds: number | null;
  readonly limits: HttpLimits;
  /** How long a request waits for the blocks of `after`; ten seconds by default. */
  readonly blockWaitMs?: number | undefined;
  readonly deployment: Deployment;
  readonly eventLimits: EventLimits;
  /** How long the process still accepts requests after it has announced its shutdown. */
  readonly shutdownDelayMs: number;
  readonly random: () => number;
  /** Whether models may call lookups by the Model Context Protocol, at /mcp. */
  readonly servesMcp: boolean;
  readonly now: () => UnixMs;
  readonly monotonic: () => MonotonicMs;
  /** Metrics of name and badge sources. */
  readonly sourceMetrics?: MetricsOptions['others'];
  /** Collects the metrics of all processes that share the port. */
  readonly createCollect?: MetricsOptions['createCollect'];
}

const API = '/api/v1';
const PLUGIN_TIMEOUT_MS = 10_000;
/** As long as a request line can be, so that `readParameters` rejects long parameters and not the router. */
const MAX_PARAM_LENGTH = 16_384;

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { store, lookups, logger, cacheBytes, spoolBytes, maxLagSeconds, limits, publicUrl, now, monotonic } = options;
  /** The versions of what an answer depends on; null while they are unknown. */
  const versionOf = (sources: readonly Source[]) => {
    const versions = store.version.current();
    return (
      versions &&
      versionKey(
        versions,
        sources.filter((source) => source !== 'clock'),
      )
    );
  };
  const answers = createAnswers({
    ...{ store, versionOf, monotonic },
    queueProfile: lookups.queueProfile,
    cacheBytes,
    spool: { folder: tmpdir(), maxBytes: spoolBytes },
  });
  const httpServer = createHttpServer(limits, options);
  const hub = createHub({
    ...{ store, monotonic },
    deployment: options.deployment,
    limits: options.eventLimits,
    random: options.random,
    onError: (err) => reportProblem(err, { url: '/events' }, logger),
    slowReaderProblem: SLOW_READER,
  });
  const { sourceMetrics, createCollect } = options;
  const metrics = createMetrics({ store, answers, httpServer, hub, others: sourceMetrics, createCollect });

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const problem = reportProblem(error, request, logger);
    const route = request.routeOptions.url;
    // Answers to probes and of the explorer are not counted, so their failures must not be either.
    if (route === undefined || route.startsWith(API)) {
      metrics.answered(route?.replace(API, '') ?? 'unknown', problem.status, 'NONE');
      metrics.failed(problem.code);
    }
    // The rest of a rejected body is not read.
    if (request.routeOptions.config?.readsBody) reply.header('connection', 'close');
    if (!sendProblemEvent(request, reply, problem)) sendProblem(reply, problem);
  }

  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Requests are not logged, so they need no child loggers.
    childLoggerFactory: (parent) => parent,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    trustProxy: limits.trustProxy,
    genReqId: createRequestIds(limits),
    serverFactory: httpServer.createServer,
    // A request that arrives on an open connection during shutdown still gets its response.
    return503OnClosing: false,
    clientErrorHandler: sendParseProblem,
    // Also limits the hooks of a shutdown, of which the drain takes as long as a client does not read.
    pluginTimeout: DRAIN_TIMEOUT_MS + PLUGIN_TIMEOUT_MS,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
  });
  // Before the drain, which would wait for these requests.
  const blockWaits = createBlockWaits(app, options);
  app.addHook('preClose', async () => {
    hub.stop(0);
    await httpServer.drain();
  });
  app.setErrorHandler(sendError);
  const allowedOn = registerMethods(app);
  // `readParameters` validates.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(compileSerialiser);
  await registerHeaders(app);
  const operationsPort = registerOperationsListener(app, httpServer.createServer);
  const allowFresh = await registerRateLimits(app, { ...limits, monotonic, isPrivate: operationsPort.has });
  await app.register(compress, {
    threshold: MIN_COMPRESSED_BYTES,
    encodings: [...ENCODINGS],
    globalDecompression: false,
  });
  await registerDocs(app, publicUrl);
  registerMarkdownDocs(app, publicUrl);
  handleUnknownPaths(app, allowedOn, await registerExplorer(app, options));
  registerDemoPictures(app);
  registerOperations(app, {
    lookups,
    metrics,
    maxLagSeconds,
    now,
    operationsPort,
    onStop: () => hub.stop(options.shutdownDelayMs),
  });
  const routes = createRoutes(lookups, now);
  await app.register(async (scope) => {
    registerOverload(scope, limits);
    registerIncomplete(scope, lookups.isLoaded);
    const stages = {
      ...blockWaits,
      ...createResolve({ lookups, reader: store.reader, versionOf, monotonic, allowFresh }),
      answers,
    };
    const registerApi = async (api: FastifyInstance) => {
      registerApiIndex(api);
      await registerEvents(api, { hub, reader: store.reader, lookups, metrics });
      await registerLookups(api, routes, { ...stages, metrics });
    };
    await scope.register(registerApi, { prefix: API });
    if (!options.servesMcp) return;
    const all = Object.values(routes).flat();
    await scope.register(async (mcp) => registerMcp(mcp, { ...stages, routes: all, prefix: API, publicUrl, metrics }));
  });
  return app;
}
