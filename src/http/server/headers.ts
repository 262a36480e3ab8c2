import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Lookups } from '../../lookup/lookups.ts';

/** Marks responses during the first load. */
export const INCOMPLETE = 'Kith-Incomplete';

/** A browser that navigates to a JSON response must not sniff, frame or execute it. Pages have a policy of their own. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

const EXPOSED_HEADERS = `ETag, Link, X-Cache, ${INCOMPLETE}, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset`;

/** For error responses, which may be sent before any hook runs. */
export const ERROR_HEADERS = {
  ...SECURITY_HEADERS,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
};

/** Adds the headers that responses of all routes have. They are public: every origin may read them, and send any header. */
export async function registerHeaders(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    if (hasUnreadBody(request)) reply.header('connection', 'close');
    done();
  });
  await app.register(cors, {
    origin: '*',
    methods: 'GET, HEAD, POST, OPTIONS',
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
    // Answers any OPTIONS request with 204, preflight or not.
    strictPreflight: false,
  });
}

/** Whether a body may follow that is not read, so that the connection cannot be reused. */
function hasUnreadBody({ headers, routeOptions }: FastifyRequest): boolean {
  if (routeOptions.config.readsBody) return false;
  const { 'transfer-encoding': transferEncoding, 'content-length': contentLength = '0' } = headers;
  return transferEncoding !== undefined || contentLength !== '0';
}

/** Marks responses until the first load is complete. From then on, nothing is read. */
export function registerIncomplete(app: FastifyInstance, isLoaded: Lookups['isLoaded']): void {
  let isComplete = false;
  app.addHook('onRequest', async (_request, reply) => {
    isComplete ||= await isLoaded();
    if (!isComplete) reply.header(INCOMPLETE, 'loading');
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readsBody?: boolean;
  }
}
