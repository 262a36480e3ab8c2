import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEMS, type ProblemCode } from '../contract/problems.ts';
import { TemporarySpaceError } from '../errors/operator-error.ts';
import { ProblemError } from '../lookup/refs/account-ref.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { CorruptDatabaseError, StoreOverloadedError, StoreUnavailableError } from '../store/store.ts';

/** An error response; `detail` is shown to the client. */
export class HttpProblem extends Error {
  override name = 'HttpProblem';
  readonly code: ProblemCode;
  readonly status: number;
  /** Additional headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Additional members of the body. */
  readonly members: object;

  constructor(
    code: ProblemCode,
    detail: string,
    {
      headers = {},
      members = {},
      ...options
    }: ErrorOptions & { headers?: Record<string, string>; members?: object } = {},
  ) {
    super(detail, options);
    this.code = code;
    this.status = PROBLEMS[code].status;
    this.headers = headers;
    this.members = members;
  }
}

/**
 * For a client that should retry soon. It closes the connection, which throttles a client that retries at once: it has to
 * be accepted again. All rejections share this instance, because an error of its own would capture a stack trace for each.
 */
export const OVERLOADED = new HttpProblem('overloaded', 'the service is overloaded, retry later', {
  headers: { 'retry-after': '1', connection: 'close' },
});

/** For a response of any length whose body finds no room in the spools. */
export const NO_ROOM = new HttpProblem('overloaded', 'there is no room for a response of this length, retry later', {
  headers: { connection: 'close' },
});

const UNAVAILABLE = [
  [StoreUnavailableError, 'the database is unavailable'],
  [TemporarySpaceError, 'a long response found no temporary space'],
  [RemoteError, 'a name or badge source is unavailable'],
] as const;

/** Maps any error to a response that reveals no internals. */
function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  const options = { cause: error };
  if (error instanceof ProblemError) return new HttpProblem(error.code, error.message, options);
  if (error instanceof StoreOverloadedError) return OVERLOADED;
  const [, unavailable] = UNAVAILABLE.find(([kind]) => error instanceof kind) ?? [];
  if (unavailable !== undefined) return new HttpProblem('unavailable', `${unavailable}, retry later`, options);
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  // Fastify's own 4xx messages are written for the client; no other message is.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const code = codeOf(statusCode);
    // Fastify does not say which types there are.
    const detail = code === 'unsupported-media-type' ? PROBLEMS[code].example : message;
    return new HttpProblem(code, detail ?? 'the request is malformed', options);
  }
  return new HttpProblem('internal', 'internal error, see the server log', options);
}

/** The response to an error, which is logged if nothing else has done so; then the response has the id of the request. */
export function reportProblem(
  error: unknown,
  { url, id: requestId }: Pick<FastifyRequest, 'url'> & Partial<Pick<FastifyRequest, 'id'>>,
  logger: FastifyBaseLogger,
): HttpProblem {
  const problem = problemOf(error);
  // An HttpProblem is an expected response. The store and the client of a remote source log a fault once.
  const isReported = [StoreUnavailableError, CorruptDatabaseError, RemoteError].some((kind) => error instanceof kind);
  if (problem === error || problem.status < 500 || isReported) return problem;
  logger.error({ err: error, url, requestId }, problem.message);
  const { code, message, cause, headers, members } = problem;
  return new HttpProblem(code, message, { cause, headers, members: { ...members, requestId } });
}

/** The codes of Fastify's own errors that have a status of their own. */
function codeOf(status: number): ProblemCode {
  const codes = ['body-too-large', 'unsupported-media-type'] as const;
  return codes.find((code) => PROBLEMS[code].status === status) ?? 'malformed-request';
}

/** Marks responses during the first load. */
export const INCOMPLETE = 'Kith-Incomplete';

/** A browser that navigates to a JSON response must not sniff, frame or execute it. Pages have a policy of their own. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** Identifies a request in the log, and in that of a proxy. */
export const REQUEST_ID = 'X-Request-Id';

export const EXPOSED_HEADERS = `ETag, Link, X-Cache, ${INCOMPLETE}, ${REQUEST_ID}, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset`;

/** For error responses, which may be sent before any hook runs. */
const ERROR_HEADERS = {
  ...SECURITY_HEADERS,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
};

const RETRY_AFTER_SECONDS = '5';

function headersOf({ status, headers }: HttpProblem): Record<string, string> {
  return {
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
    ...ERROR_HEADERS,
    ...(status === 503 ? { 'retry-after': RETRY_AFTER_SECONDS } : {}),
    ...headers,
  };
}

/** RFC 9457. */
export function bodyOf({ code, status, message, members }: HttpProblem): string {
  const { title } = PROBLEMS[code];
  return JSON.stringify({ type: `urn:kith:problem:${code}`, title, status, detail: message, code, ...members });
}

export function sendProblem(reply: FastifyReply, problem: HttpProblem): void {
  const headers = { ...headersOf(problem), [REQUEST_ID]: reply.request.id };
  reply.code(problem.status).headers(headers).send(bodyOf(problem));
}

const NOT_HTTP = new HttpProblem('malformed-request', 'the request is not valid HTTP');
const PARSE_PROBLEMS: Readonly<Record<string, HttpProblem>> = {
  HPE_HEADER_OVERFLOW: new HttpProblem('request-too-large', 'the URL and the headers are too long'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpProblem('request-timeout', 'the request did not arrive in time'),
};

/** Fastify's `clientErrorHandler`, for input that Node cannot parse: there is no reply, only the socket. */
export function sendParseProblem(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = PARSE_PROBLEMS[error.code ?? ''] ?? NOT_HTTP;
  const { status } = problem;
  const body = bodyOf(problem);
  const headers = { ...headersOf(problem), 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}
