import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Lookups } from '../../lookup/lookups.ts';
import type { SendDocument } from '../pages/explorer.ts';
import { EXPOSED_HEADERS, HttpProblem, INCOMPLETE, REQUEST_ID, SECURITY_HEADERS } from '../problems.ts';

/** Adds the headers that responses of all routes have. They are public: every origin may read them, and send any header. */
export async function registerHeaders(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header(REQUEST_ID, request.id);
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

const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';
/** Limits how much of an unknown path the response repeats. */
const MAX_SHOWN_PATH = 200;

/** Returns the methods that are allowed on a path, for the Allow header; undefined for an unknown path. */
export type AllowedOn = (path: string) => string | undefined;

/** Rejects requests that a proxy may have routed otherwise, and answers OPTIONS. To be called before routes are added. */
export function registerMethods(app: FastifyInstance): AllowedOn {
  const known: { pattern: RegExp; allowed: string }[] = [];
  const allowedOn: AllowedOn = (path) => {
    const allowed = known.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.allowed.split(', '));
    return allowed.length === 0 ? undefined : [...new Set(allowed)].join(', ');
  };
  app.addHook('onRoute', ({ url, method }) => {
    if (method !== 'GET' && method !== 'POST') return;
    const pattern = url
      .replaceAll('.', '\\.')
      .replace(/:[^/]+/g, '[^/]+')
      .replace('*', '.*');
    known.push({ pattern: new RegExp(`^${pattern}$`), allowed: method === 'GET' ? ALLOWED_METHODS : 'POST, OPTIONS' });
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (hasSeveralHosts(request)) return done(new HttpProblem('malformed-request', 'more than one Host header'));
    if (request.method === 'OPTIONS') reply.header('allow', allowedOn(pathOf(request)) ?? ALLOWED_METHODS);
    done();
  });
  // Nothing can be written, so a response does not wait for a body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  return allowedOn;
}

/** A proxy may have routed the request by another one than the first. */
function hasSeveralHosts({ raw: { rawHeaders } }: FastifyRequest): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** Paths such as /ada.eth. The names of other domains could be files. */
const ACCOUNT_PATH = /^\/([^/]+\.eth|0x[0-9a-f]{40})\/?$/i;

/**
 * 405 for another method on a known path. 404 for an unknown path, with the one that was probably meant: a page of the
 * explorer for browsers. An address or name alone leads to its page.
 */
export function handleUnknownPaths(
  app: FastifyInstance,
  allowedOn: AllowedOn,
  sendDocument: SendDocument | null,
): void {
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    const shown = path.slice(0, MAX_SHOWN_PATH);
    const allow = allowedOn(path);
    const [, account] = ACCOUNT_PATH.exec(path) ?? [];
    if (sendDocument !== null && account !== undefined && isRead(request))
      return reply.redirect(`/account/${account}`, 308);
    reply.header('vary', 'Accept');
    if (sendDocument !== null && allow === undefined && isNavigation(request)) return sendDocument(reply.code(404));
    throw allow === undefined || allow.split(', ').includes(request.method)
      ? new HttpProblem('unknown-path', `no route for ${shown}, ${adviceFor(path, allowedOn)}`)
      : new HttpProblem('method-not-allowed', `${request.method} is not allowed on ${shown}`, { headers: { allow } });
  });
}

/** What to do instead: a known path that differs in its slashes, its prefix or its last segment, else the documentation. */
function adviceFor(path: string, allowedOn: AllowedOn): string {
  const plain = path.slice(0, MAX_SHOWN_PATH).replace(/\/+/g, '/').replace(/\/$/, '');
  const lookup = plain.replace(/^\/(?:api\/)?(?:v1\/)?/, '/api/v1/');
  const candidates = [plain, lookup];
  if (/\/(?:users|lists)\/[^/]+$/.test(lookup)) candidates.push(`${lookup}/details`);
  const meant = path.length > MAX_SHOWN_PATH ? undefined : candidates.find((candidate) => allowedOn(candidate));
  return meant === undefined ? 'see /docs for all routes' : `use ${meant}`;
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Whether a browser loads a page, and not a program or a script of a page. */
function isNavigation(request: FastifyRequest): boolean {
  const { headers, url } = request;
  return isRead(request) && !url.startsWith('/api/') && /\btext\/html\b/i.test(headers.accept ?? '');
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? url;
}
