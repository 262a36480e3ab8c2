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
}

export function createEndpoint({ url, fetch, timeoutMs }: EndpointOptions): Endpoint {
  const host = new URL(url).host;
  let nextId = 1;

  async function post(body: unknown, label: string): Promise<unknown> {
    const fail = (fault: RpcFault) => new RpcError(host, label, fault);
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    };
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, request);
      text = await response.text();
    } catch (error) {
      const { name, cause } = error as Error;
      if (name === 'TimeoutError') throw fail({ kind: 'timeout' });
      const code = (cause as { code?: string } | undefined)?.code ?? name;
      throw fail({ kind: 'unreachable', message: code });
    }
    if (!response.ok) {
      const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'));
      throw fail({ kind: 'http', status: response.status, retryAfterMs });
    }
    try {
      return JSON.parse(text);
    } catch {
      throw fail({ kind: 'malformed', message: `${text.length} characters that are not JSON` });
    }
  }

  return {
    host,
    async send({ method, params }) {
      const id = nextId++;
      const reply = readReply(host, method, id, await post({ jsonrpc: '2.0', id, method, params }, method));
      if ('error' in reply) throw reply.error;
      return reply.result;
    },
    async sendBatch(calls) {
      const requests = calls.map((call) => ({ jsonrpc: '2.0', id: nextId++, ...call }));
      const label = `batch of ${calls.length}`;
      const answers = await post(requests, label);
      if (!Array.isArray(answers)) return requests.map(({ method }) => malformed(host, method, 'no batch'));
      const byId = new Map<unknown, unknown>(
        answers.map((answer) => [(answer as { id?: unknown } | null)?.id, answer]),
      );
      return requests.map(({ id, method }) => readReply(host, method, id, byId.get(id)));
    },
  };
}

function readReply(host: string, method: string, id: number, answer: unknown): Reply {
  if (typeof answer !== 'object' || answer === null) return malformed(host, method, 'no object');
  const reply = answer as { id?: unknown; result?: unknown; error?: { code?: unknown; message?: unknown } };
  if (reply.id !== id) return malformed(host, method, `the id ${JSON.stringify(reply.id)} where ${id} was asked`);
  if (reply.error !== undefined && reply.error !== null) {
    const { code, message } = reply.error;
    const fault = { kind: 'refused', code: Number(code ?? 0), message: String(message ?? '').slice(0, 300) } as const;
    return { error: new RpcError(host, method, fault) };
  }
  return 'result' in reply ? { result: reply.result } : malformed(host, method, 'neither result nor error');
}

function malformed(host: string, method: string, message: string): Reply {
  return { error: new RpcError(host, method, { kind: 'malformed', message }) };
}

/** Seconds, or a date that is not worth parsing: nodes send seconds. */
function parseRetryAfter(header: string | null): number | null {
  return header !== null && /^\d{1,5}$/.test(header.trim()) ? Number(header) * 1000 : null;
}
