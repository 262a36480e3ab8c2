import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import { ProblemError } from '../lookup/problem.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { StoreOverloadedError, StoreUnavailableError } from '../store/store.ts';
import { CORS_HEADERS } from './server/cors.ts';
import { SECURITY_HEADERS } from './server/security-headers.ts';

/** Every error response by its stable code. */
export const PROBLEMS = {
  'unknown-list': { status: 404, title: 'Unknown list' },
  'unknown-name': { status: 404, title: 'Unknown name' },
  'names-not-resolved': { status: 404, title: 'Names are not resolved' },
  'no-avatar': { status: 404, title: 'No avatar' },
  'invalid-parameter': { status: 400, title: 'Invalid parameter' },
  'malformed-request': { status: 400, title: 'Malformed request' },
  'unknown-path': { status: 404, title: 'Unknown path' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'body-too-large': { status: 413, title: 'Body too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'request-timeout': { status: 408, title: 'Request timeout' },
  'request-too-large': { status: 431, title: 'Request too large' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  // Not sent: the status of nginx for a client that did not wait for its response.
  'client-closed-request': { status: 499, title: 'Client closed request' },
  internal: { status: 500, title: 'Internal error' },
  overloaded: { status: 503, title: 'Overloaded' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** An error response; `detail` is shown to the client. */
export class HttpProblem extends Error {
  override name = 'HttpProblem';
  readonly code: ProblemCode;
  readonly status: number;
  /** Additional headers of the response. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    { headers = {}, ...options }: ErrorOptions & { headers?: Record<string, string> } = {},
  ) {
    super(detail, options);
    this.code = code;
    this.status = PROBLEMS[code].status;
    this.headers = headers;
  }
}

/**
 * For a client that should retry soon. It closes the connection, which throttles a client that retries at once: it has to
 * be accepted again. All rejections share this instance, because an error of its own would capture a stack trace for each.
 */
export const OVERLOADED = new HttpProblem('overloaded', 'the service is overloaded, retry later', {
  headers: { 'retry-after': '1', connection: 'close' },
});

/** Maps any error to a response that reveals no internals. */
function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  const options = { cause: error };
  if (error instanceof ProblemError) return new HttpProblem(error.code, error.message, options);
  if (error instanceof StoreOverloadedError) return OVERLOADED;
  if (error instanceof StoreUnavailableError) {
    return new HttpProblem('unavailable', 'the database is unavailable, retry later', options);
  }
  if (error instanceof RemoteError) {
    return new HttpProblem('unavailable', 'a name or badge source is unavailable, retry later', options);
  }
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  // Fastify's own 4xx messages are written for the client; no other message is.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new HttpProblem(codeOf(statusCode), message ?? 'the request is malformed', options);
  }
  return new HttpProblem('internal', 'internal error, see the server log', options);
}

/** The response to an error, which is logged if nothing else has done so. */
export function reportProblem(error: unknown, url: string, logger: FastifyBaseLogger): HttpProblem {
  const problem = problemOf(error);
  // An HttpProblem is an expected response. The store and the client of a remote source log an outage once.
  const isOutage = error instanceof StoreUnavailableError || error instanceof RemoteError;
  if (problem !== error && problem.status >= 500 && !isOutage) logger.error({ err: error, url }, problem.message);
  return problem;
}

function codeOf(status: number): ProblemCode {
  if (status === PROBLEMS['body-too-large'].status) return 'body-too-large';
  return status === PROBLEMS['unsupported-media-type'].status ? 'unsupported-media-type' : 'malformed-request';
}

const RETRY_AFTER_SECONDS = '5';

function headersOf({ status, headers }: HttpProblem): Record<string, string> {
  return {
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
    ...SECURITY_HEADERS,
    ...CORS_HEADERS,
    ...(status === 503 ? { 'retry-after': RETRY_AFTER_SECONDS } : {}),
    ...headers,
  };
}

/** RFC 9457. */
export function bodyOf({ code, status, message }: HttpProblem): string {
  const { title } = PROBLEMS[code];
  return JSON.stringify({ type: `urn:kith:problem:${code}`, title, status, detail: message, code });
}

export function sendProblem(reply: FastifyReply, problem: HttpProblem): void {
  reply.code(problem.status).headers(headersOf(problem)).send(bodyOf(problem));
}

/** Fastify's `clientErrorHandler`, for input that Node cannot parse: there is no reply, only the socket. */
export function sendParseProblem(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = parseProblemOf(error.code);
  const { status } = problem;
  const body = bodyOf(problem);
  const headers = { ...headersOf(problem), 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

function parseProblemOf(code: string | undefined): HttpProblem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HttpProblem('request-too-large', 'the URL and the headers are too long');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpProblem('request-timeout', 'the request did not arrive in time');
    default:
      return new HttpProblem('malformed-request', 'the request is not valid HTTP');
  }
}
