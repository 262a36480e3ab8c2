import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Reader } from '../store/store.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { Answerer } from './answer-route.ts';
import type { Found } from './find-route.ts';
import type { Metrics } from './metrics.ts';
import { ALLOWED_METHODS } from './problems.ts';
import { sendAnswer } from './send-answer.ts';

/** A client that does not finish its headers in this time is cut off. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Longer than the idle time of common load balancers, so that they close first. */
const KEEP_ALIVE_MS = 72_000;

export interface Front {
  readonly cache: AnswerCache;
  readonly metrics: Metrics;
  readonly answerer: Answerer;
  readonly findRoute: (url: string) => Found | null;
  readonly together: Reader['together'];
}

/** A server that answers preflights, cache hits and plain questions itself and leaves the rest to the framework. */
export function createFrontServer(front: Front, handler: RequestListener): Server {
  const options = { headersTimeout: HEADERS_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS };
  const answerSoon = createBatches(front.together, (req, res) => answerOne(front, handler, req, res));
  return createServer(options, (req, res) => {
    if (req.method === 'OPTIONS') sendPreflight(req, res);
    else if (isRead(req)) answerSoon(req, res);
    else handler(req, res);
  });
}

/** Enough to share, few enough for the first to be on their way before long. */
const BATCH = 32;

/**
 * Collects the requests that have come in at one moment, and then answers them together, from data as new as the last
 * of them. They share a look at the database, and what a processor has to load to do the same thing again: of 100 µs
 * for a page of followers 73 are left, of 36 for a cache hit 32.
 */
function createBatches(together: Front['together'], answer: RequestListener): RequestListener {
  const waiting: Parameters<RequestListener>[] = [];
  const answerSome = () => {
    const batch = waiting.splice(0, BATCH);
    if (waiting.length > 0) setImmediate(answerSome);
    together(() => {
      for (const [req, res] of batch) answer(req, res);
    });
  };
  return (req, res) => {
    if (waiting.push([req, res]) === 1) setImmediate(answerSome);
  };
}

function answerOne(
  { cache, metrics, answerer, findRoute }: Front,
  handler: RequestListener,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  const url = req.url ?? '';
  const answer = cache.get(url);
  if (answer !== undefined) {
    const status = sendAnswer(req, res, answer, 'HIT');
    metrics.answered(answer.route, status, 'HIT');
    return;
  }
  const found = findRoute(url);
  if (found === null) handler(req, res);
  else void answerer.answer(found.route, found.params, found.query, req, res);
}

/**
 * Ends connections as soon as nothing is under way on them, those included on which nothing was ever asked:
 * the server itself would wait until their clients leave.
 */
export function drainConnections(server: Server): () => void {
  /** The last answer on each connection, which is the last to be finished; none where nothing was asked. */
  const connections = new Map<Socket, ServerResponse | null>();
  let isDraining = false;
  const endAfter = (socket: Socket, last: ServerResponse | null) => {
    if (last === null || last.closed) socket.destroySoon();
    // Unless something more was asked meanwhile.
    else last.once('close', () => connections.get(socket) === last && socket.destroySoon());
  };
  server.on('connection', (socket: Socket) => {
    connections.set(socket, null);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    connections.set(socket, res);
    if (isDraining) endAfter(socket, res);
  });
  return () => {
    isDraining = true;
    for (const [socket, last] of connections) endAfter(socket, last);
  };
}

function isRead(req: IncomingMessage): boolean {
  return req.method === 'GET' || req.method === 'HEAD';
}

/** Any page may ask with any header: the answers are public and the same for all. */
function sendPreflight(req: IncomingMessage, res: ServerResponse): void {
  const asked = req.headers['access-control-request-headers'];
  res.writeHead(204, {
    Allow: ALLOWED_METHODS,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': ALLOWED_METHODS,
    ...(asked === undefined ? {} : { 'Access-Control-Allow-Headers': asked }),
    'Access-Control-Max-Age': '86400',
    Vary: 'Access-Control-Request-Headers',
  });
  res.end();
}
