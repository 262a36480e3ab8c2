import { RemoteError, type RemoteFault } from './remote-error.ts';

export interface RequestOptions {
  readonly url: string;
  readonly init: {
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
    /** By default redirects are followed. */
    readonly redirect?: 'manual';
  };
  /** Host and label are shown in error messages. */
  readonly host: string;
  readonly label: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  /** A larger response is rejected. */
  readonly maxBytes: number;
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
}

export interface RemoteAnswer {
  readonly status: number;
  readonly bytes: Buffer;
  /** The same as UTF-8. */
  readonly text: string;
  /** From the Retry-After header; null if absent. */
  readonly retryAfterMs: number | null;
  /** The Location header of a redirect that is not followed. */
  readonly location: string | null;
}

/** Sends one request and reads the whole response, whatever its status. Throws a `RemoteError` if there is none. */
export async function fetchAnswer(options: RequestOptions): Promise<RemoteAnswer> {
  const { url, init, host, label, fetch, timeoutMs, maxBytes, signal } = options;
  const fail = (fault: RemoteFault) => new RemoteError(host, label, fault);
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('request timed out', 'TimeoutError')), timeoutMs);
  // Not AbortSignal.any: with a long-lived signal it leaks memory with every request.
  const abort = () => controller.abort();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  try {
    const response = await fetch(url, { ...init, signal: controller.signal });
    const bytes = await readBody(response, maxBytes);
    if (bytes === null) throw fail({ kind: 'oversized', maxBytes });
    const { status, headers } = response;
    return {
      status,
      bytes,
      get text() {
        return bytes.toString('utf8');
      },
      retryAfterMs: parseRetryAfter(headers.get('retry-after')),
      location: headers.get('location'),
    };
  } catch (error) {
    if (error instanceof RemoteError) throw error;
    const { cause } = error as Error;
    throw cause instanceof RemoteError ? cause : fail(faultOf(error as Error));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Why `fetch`, or reading its response, has failed. */
export function faultOf({ name, cause }: Error): RemoteFault {
  if (name === 'TimeoutError') return { kind: 'timeout' };
  return { kind: 'unreachable', message: (cause as { code?: string } | undefined)?.code ?? name };
}

/** Returns null, without reading the rest, if the body exceeds `maxBytes`. */
async function readBody(response: Response, maxBytes: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Shorter texts are parsed within milliseconds, whatever they hold. */
const MIN_CHECKED = 2 ** 20;
/** Answers of nodes have a value for every 40 characters or more. */
const MIN_CHARACTERS_PER_VALUE = 16;

/**
 * Whether a long text has so many values that it is no answer: 240 MB of `[],[],` take over a minute to parse, during
 * which nothing else runs.
 */
function isDense(text: string): boolean {
  if (text.length < MIN_CHECKED) return false;
  let remaining = text.length / MIN_CHARACTERS_PER_VALUE;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // A comma, a bracket or a brace.
    if ((code === 0x2c || code === 0x5b || code === 0x7b) && --remaining < 0) return true;
  }
  return false;
}

/** Returns undefined for invalid JSON, and for a long text of tiny values; no JSON text parses to undefined. */
export function parseJson(text: string): unknown {
  if (isDense(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Supports the form in seconds only, which is what services send in practice. */
function parseRetryAfter(header: string | null): number | null {
  return header !== null && /^\d{1,5}$/.test(header.trim()) ? Number(header) * 1000 : null;
}
