import { RpcError, type RpcFault } from './rpc-error.ts';

export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a node said to one call. */
export type Reply = { readonly result: unknown } | { readonly error: RpcError };

/** One node. It tries once and tells faithfully how that went; who to ask next is for others to decide. */
export interface Endpoint {
  /** The name of the host: all of the URL that may be shown. */
  readonly host: string;
  send(call: Call): Promise<unknown>;
  /** Many calls in one request, answered one by one. */
  sendBatch(calls: readonly Call[]): Promise<Reply[]>;
}

export interface EndpointOptions {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  /** Ends requests under way: nobody waits for the answers any more. */
  readonly signal?: AbortSignal;
}

export function createEndpoint({ url, fetch, timeoutMs, signal }: EndpointOptions): Endpoint {
  const { target, host, headers, hide } = readUrl(url);
  let nextId = 1;

  async function post(body: unknown, label: string): Promise<unknown> {
    const fail = (fault: RpcFault) => new RpcError(host, label, fault);
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(new DOMException('no answer', 'TimeoutError')), timeoutMs);
    // Not AbortSignal.any: what it ties to a signal that lives as long as the process, it never lets go of.
    const end = () => ending.abort();
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
    let response: Response;
    let text: string;
    try {
      const request = { method: 'POST', headers, body: JSON.stringify(body), signal: ending.signal };
      response = await fetch(target, request);
      text = await response.text();
    } catch (error) {
      const { name, cause } = error as Error;
      if (name === 'TimeoutError') throw fail({ kind: 'timeout' });
      const code = (cause as { code?: string } | undefined)?.code ?? name;
      throw fail({ kind: 'unreachable', message: code });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
    const answer = parseJson(text);
    const { status } = response;
    // Some providers refuse with status 400 what others refuse with 200. Too many requests are no refusal.
    const refused = status >= 400 && status < 500 && status !== 429 && holdsErrors(answer);
    if (!response.ok && !refused) {
      throw fail({ kind: 'http', status, retryAfterMs: parseRetryAfter(response.headers.get('retry-after')) });
    }
    if (answer === undefined) {
      throw fail({ kind: 'malformed', message: `${text.length} characters that are not JSON` });
    }
    return answer;
  }

  function readReply(method: string, id: number, answer: unknown): Reply {
    const fail = (fault: RpcFault): Reply => ({ error: new RpcError(host, method, fault) });
    if (typeof answer !== 'object' || answer === null) return fail({ kind: 'malformed', message: 'no object' });
    const reply = answer as { id?: unknown; result?: unknown; error?: { code?: unknown; message?: unknown } };
    const failed = reply.error !== undefined && reply.error !== null;
    // A node that refuses before it has read the question does not know its id.
    if (reply.id !== id && !(failed && (reply.id ?? null) === null)) {
      const got = String(JSON.stringify(reply.id)).slice(0, 40);
      return fail({ kind: 'malformed', message: `the id ${got} where ${id} was asked` });
    }
    if (failed) {
      const message = hide(String(reply.error?.message ?? '')).slice(0, LONGEST_MESSAGE);
      return fail({ kind: 'refused', code: Number(reply.error?.code ?? 0), message });
    }
    return 'result' in reply
      ? { result: reply.result }
      : fail({ kind: 'malformed', message: 'neither result nor error' });
  }

  return {
    host,
    async send({ method, params }) {
      const id = nextId++;
      const reply = readReply(method, id, await post({ jsonrpc: '2.0', id, method, params }, method));
      if ('error' in reply) throw reply.error;
      return reply.result;
    },
    async sendBatch(calls) {
      const requests = calls.map((call) => ({ jsonrpc: '2.0', id: nextId++, ...call }));
      const answer = await post(requests, `batch of ${calls.length}`);
      if (!Array.isArray(answer)) {
        // One error for all of them, or nothing that answers any.
        const shared = holdsErrors(answer) ? answer : undefined;
        return requests.map(({ id, method }) => readReply(method, id, shared));
      }
      const byId = new Map<unknown, unknown>(answer.map((item) => [(item as { id?: unknown } | null)?.id, item]));
      return requests.map(({ id, method }) => readReply(method, id, byId.get(id)));
    },
  };
}

/** Undefined where there is no JSON, which JSON itself never is. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function holdsErrors(answer: unknown): boolean {
  const [first] = Array.isArray(answer) ? answer : [answer];
  return typeof (first as { error?: unknown } | null | undefined)?.error === 'object';
}

/** Providers put the range that they would answer at the end of some three hundred characters. */
const LONGEST_MESSAGE = 1_000;

/** Parts of a URL shorter than this are words like `v2`, not keys. */
const SHORTEST_SECRET = 8;

/** What to send a request with, and how to take out of a node's words whatever they repeat of the URL. */
function readUrl(url: string) {
  const target = new URL(url);
  const { host, pathname, search } = target;
  const [username, password] = [target.username, target.password].map(decodeURIComponent);
  const words = [...pathname.split('/'), ...search.split(/[?&=]/), username ?? '', password ?? ''];
  const secrets = [url, target.href, pathname + search, pathname, ...words]
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (username || password) {
    headers.authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    // A request whose URL carries them is refused by fetch.
    target.username = target.password = '';
  }
  const hide = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  return { target: target.href, host, headers, hide };
}

/** Seconds, or a date that is not worth parsing: nodes send seconds. */
function parseRetryAfter(header: string | null): number | null {
  return header !== null && /^\d{1,5}$/.test(header.trim()) ? Number(header) * 1000 : null;
}
