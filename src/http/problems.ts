import type { Socket } from 'node:net';
import { type BinaryString, toBinary } from '../contract/binary-string.ts';
import { PROBLEMS, type ProblemCode, ProblemError } from '../lookup/problem.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { StoreUnavailableError } from '../store/store.ts';
import type { Exchange } from './exchange.ts';
import { CLOSE, headOf, line } from './head.ts';

/** Seconds after which trying again makes sense. */
const RETRY_AFTER = '5';

/** What went wrong, as far as the client may know it. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreUnavailableError) {
    return new ProblemError('unavailable', 'the database cannot be reached; try again in a moment', { cause: error });
  }
  if (error instanceof RemoteError) {
    return new ProblemError('unavailable', 'a source of names or badges cannot tell now; try again in a moment', {
      cause: error,
    });
  }
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  // The framework's own complaints about a request are written for the client; nothing else is.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ProblemError('malformed-request', message ?? 'the request cannot be read', { cause: error });
  }
  return new ProblemError('internal', 'something went wrong here; it has been logged', { cause: error });
}

/** RFC 9457. */
function bodyOf({ code, message }: ProblemError): BinaryString {
  const { status, title } = PROBLEMS[code];
  return toBinary(JSON.stringify({ type: `urn:kith:problem:${code}`, title, status, detail: message, code }));
}

function headersOf(code: ProblemCode, body: BinaryString): string {
  const { status } = PROBLEMS[code];
  return [
    line('Content-Type', 'application/problem+json; charset=utf-8'),
    line('Content-Length', String(body.length)),
    line('Cache-Control', 'no-store'),
    line('Access-Control-Allow-Origin', '*'),
    line('Access-Control-Expose-Headers', 'Retry-After'),
    status === 503 ? line('Retry-After', RETRY_AFTER) : '',
    status === 405 ? line('Allow', ALLOWED_METHODS) : '',
  ].join('');
}

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** Sends a problem and returns its status. */
export function sendProblem(exchange: Exchange, problem: ProblemError): number {
  const body = bodyOf(problem);
  const { status } = PROBLEMS[problem.code];
  exchange.send(status, headersOf(problem.code, body), body);
  return status;
}

/** For bytes that are no HTTP request: there is no response object, only a socket. */
export function sendParseProblem(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = parseProblemOf(error.code);
  const body = bodyOf(problem);
  const { status } = PROBLEMS[problem.code];
  socket.end(headOf(status, headersOf(problem.code, body) + CLOSE) + body, 'latin1');
}

function parseProblemOf(code: string | undefined): ProblemError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ProblemError('request-too-large', 'the URL and the headers together are longer than is taken');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ProblemError('request-timeout', 'the request did not arrive in time');
  }
  return new ProblemError('malformed-request', 'this is not an HTTP request that can be read');
}
