import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Reader } from '../store/store.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { Answerer } from './answer-route.ts';
import { exchangeOf, type Offer } from './exchange.ts';
import type { Found } from './find-route.ts';
import type { Metrics } from './metrics.ts';
import { NodeConnections } from './node-connections.ts';
import { PlainConnections } from './plain-connections.ts';
import { ALLOWED_METHODS } from './problems.ts';
import { sendAnswer } from './send-answer.ts';

/** A client that does not finish its headers in this time is cut off. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Longer than the idle time of common load balancers, so that they close first. */
const KEEP_ALIVE_MS = 72_000;
/** More than any answer takes. */
const DRAIN_MS = 10_000;

export interface FrontParts {
  readonly cache: AnswerCache;
  readonly metrics: Metrics;
  readonly answerer: Answerer;
  readonly findRoute: (url: string) => Found | null;
  readonly inSnapshot: Reader['inSnapshot'];
}

export interface Front {
  /** Makes a server that answers preflights, cache hits and plain questions itself and leaves the rest to `handler`. */
  createServer(handler: RequestListener): Server;
  /** Ends connections as soon as nothing is under way on them, those included on which nothing was ever asked. */
  drain(): void;
}

export function createFront(parts: FrontParts): Front {
  const { findRoute } = parts;
  const answerSoon = createBatches(parts.inSnapshot, (asked) => answerOne(parts, asked));
  const connections: (PlainConnections | NodeConnections)[] = [];
  return {
    createServer(handler) {
      const options = { headersTimeout: HEADERS_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS };
      const server = createServer(options, (req, res) => {
        if (req.method === 'OPTIONS') sendPreflight(req, res);
        else if (isRead(req)) {
          const offer = { ...exchangeOf(req, res), leave: () => handler(req, res) };
          answerSoon({ offer, found: findRoute(offer.url) });
        } else handler(req, res);
      });
      const nodes = new NodeConnections(server);
      const plain = new PlainConnections({
        answer(offer) {
          const found = findRoute(offer.url);
          // At once: later on, the client may have sent its last byte, and Node would not hear of any.
          if (found === null) offer.leave();
          else answerSoon({ offer, found });
        },
        leave: nodes.take,
        firstMs: HEADERS_TIMEOUT_MS,
        nextMs: KEEP_ALIVE_MS,
      });
      server.on('connection', (socket) => plain.take(socket));
      connections.push(plain, nodes);
      return server;
    },
    drain() {
      for (const some of connections) some.drain();
      // Whoever does not take its last answer by then is not waited for.
      const cut = () => {
        for (const some of connections) some.cut();
      };
      setTimeout(cut, DRAIN_MS).unref();
    },
  };
}

/** What has come in. */
interface Asked {
  readonly offer: Offer;
  /** Null where only the framework can tell, which may have answered the same before. */
  readonly found: Found | null;
}

/** Enough to share, few enough for the first to be on their way before long. */
const BATCH = 32;

/**
 * Collects the requests that have come in at one moment, and then answers them together, from data as new as the last
 * of them. They share a look at the database, and what a processor has to load to do the same thing again: of 100 µs
 * for a page of followers 73 are left, of 36 for a cache hit 32.
 */
function createBatches(inSnapshot: FrontParts['inSnapshot'], answer: (asked: Asked) => void): (asked: Asked) => void {
  const waiting: Asked[] = [];
  const answerSome = () => {
    const batch = waiting.splice(0, BATCH);
    if (waiting.length > 0) setImmediate(answerSome);
    inSnapshot(() => {
      for (const asked of batch) answer(asked);
    });
  };
  return (asked) => {
    if (waiting.push(asked) === 1) setImmediate(answerSome);
  };
}

function answerOne({ cache, metrics, answerer }: FrontParts, { offer, found }: Asked): void {
  let answer: ReturnType<AnswerCache['get']>;
  try {
    answer = cache.get(offer.url);
  } catch (error) {
    // The database cannot tell whether what is kept still stands.
    answerer.refuse(found?.route.path ?? 'unknown', error, offer);
    return;
  }
  if (answer !== undefined) metrics.answered(answer.route, sendAnswer(offer, answer, 'HIT'), 'HIT');
  else if (found === null) offer.leave();
  else void answerer.answer(found.route, found.params, found.query, offer);
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
