import { RemoteError, type RemoteFault } from './remote-error.ts';

export interface RequestOptions {
  readonly url: string;
  readonly init: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string };
  /** What is asked of whom, for the error that tells of it. */
  readonly host: string;
  readonly label: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  /** An answer that is longer is none. */
  readonly maxBytes: number;
  /** Ends the request: nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface RemoteAnswer {
  readonly status: number;
  readonly text: string;
  /** How long the other side asks us to wait, null where it does not. */
  readonly retryAfterMs: number | null;
}

/** Asks once and takes the whole answer, whatever its status. Throws a `RemoteError` when there is none. */
export async function fetchAnswer(options: RequestOptions): Promise<RemoteAnswer> {
  const { url, init, host, label, fetch, timeoutMs, maxBytes, signal } = options;
  const fail = (fault: RemoteFault) => new RemoteError(host, label, fault);
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new DOMException('no answer', 'TimeoutError')), timeoutMs);
  // Not AbortSignal.any: what it ties to a signal that lives as long as the process, it never lets go of.
  const end = () => ending.abort();
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  try {
    const response = await fetch(url, { ...init, signal: ending.signal });
    const text = await readText(response, maxBytes);
    if (text === null) throw fail({ kind: 'malformed', message: `more than ${maxBytes} bytes` });
    return { status: response.status, text, retryAfterMs: parseRetryAfter(response.headers.get('retry-after')) };
  } catch (error) {
    if (error instanceof RemoteError) throw error;
    const { name, cause } = error as Error;
    if (name === 'TimeoutError') throw fail({ kind: 'timeout' });
    const code = (cause as { code?: string } | undefined)?.code ?? name;
    throw fail({ kind: 'unreachable', message: code });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** Null when there is more of it than is taken; the rest is then not read. */
async function readText(response: Response, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Undefined where there is no JSON, which JSON itself never is. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Seconds, or a date that is not worth parsing: services send seconds. */
function parseRetryAfter(header: string | null): number | null {
  return header !== null && /^\d{1,5}$/.test(header.trim()) ? Number(header) * 1000 : null;
}
