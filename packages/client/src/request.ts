import type { Schemas } from './types.ts';

/** The codes of the service, `network` if no answer arrived, and `unexpected-answer` if it is not one of Kith. */
export type ErrorCode = Schemas['Problem']['code'] | 'network' | 'unexpected-answer';

export class KithError extends Error {
  override readonly name = 'KithError';
  declare readonly url: string;
  /** HTTP status, 0 if no answer arrived. */
  declare readonly status: number;
  declare readonly code: ErrorCode;
  /** What went wrong, for a person. */
  declare readonly detail: string;
  /** Seconds of `Retry-After`, or null. */
  declare readonly retryAfter: number | null;

  constructor(failure: Pick<KithError, 'url' | 'status' | 'code' | 'detail' | 'retryAfter'>, options?: ErrorOptions) {
    super(`${failure.detail} (${failure.url})`, options);
    Object.assign(this, failure);
  }
}

export interface Received {
  readonly body: unknown;
  readonly headers: Headers;
}

/** Resolves to the body and the headers of a successful answer, or to the error of another. */
export async function receive(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
): Promise<Received | KithError> {
  try {
    const response = await fetch(url, init);
    const body = parseJson(await response.text());
    const { status, headers } = response;
    return response.ok && body !== undefined ? { body, headers } : errorOf(url, status, body, headers);
  } catch (error) {
    // An abort is not a failure of the network.
    init.signal?.throwIfAborted();
    throw networkError(url, error);
  }
}

/** The error that the body of an answer describes. */
export function errorOf(url: string, status: number, body: unknown, headers?: Headers): KithError {
  const retryAfter = parseRetryAfter(headers?.get('retry-after') ?? '');
  // Safe: the fields are checked below.
  const { code, detail } = (body ?? {}) as Partial<Schemas['Problem']>;
  return typeof code === 'string' && typeof detail === 'string'
    ? new KithError({ url, status, code, detail, retryAfter })
    : new KithError({ url, status, code: 'unexpected-answer', detail: `unexpected answer, ${status}`, retryAfter });
}

export function networkError(url: string, cause: unknown): KithError {
  const failure = { url, status: 0, code: 'network', detail: 'no answer arrived', retryAfter: null } as const;
  return new KithError(failure, { cause });
}

/** Returns seconds. A proxy may send a date instead. */
function parseRetryAfter(header: string): number | null {
  if (/^\d+$/.test(header)) return Number(header);
  const time = / GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? null : Math.max(Math.ceil((time - Date.now()) / 1000), 0);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Rejects with the reason of an abort. */
export function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
  });
}
