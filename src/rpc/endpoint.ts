import { type Hex, parseHex } from '../protocol/hex.ts';
import { fetchAnswer, parseJson } from '../remote/fetch-answer.ts';
import { RemoteError, type RemoteFault } from '../remote/remote-error.ts';
import { readTarget } from '../remote/target.ts';
import { type NodeLimit, UNLIMITED } from './node-limit.ts';

export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The response to one call. */
export type RpcReply = { readonly result: unknown } | { readonly error: RemoteError };

/** One RPC node. Makes a single attempt; retries and failover are up to `RpcClient`. */
export interface Endpoint {
  /** The host name, the only part of the URL without secrets. */
  readonly host: string;
  send(call: Call): Promise<unknown>;
  /** JSON-RPC batches: one response per call. */
  sendBatch(calls: readonly Call[]): Promise<RpcReply[]>;
}

export interface EndpointOptions {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  /** None if not given. */
  readonly limit?: NodeLimit;
  /** Aborts pending requests. */
  readonly signal?: AbortSignal;
}

export function createEndpoint({ url, fetch, timeoutMs, limit = UNLIMITED, signal }: EndpointOptions): Endpoint {
  const target = readTarget(url);
  const { host, hide } = target;
  const headers = { ...target.headers, 'content-type': 'application/json' };
  let nextId = 1;

  async function post(calls: readonly Call[], body: unknown, label: string): Promise<unknown> {
    const fail = (fault: RemoteFault) => new RemoteError(host, label, fault);
    // A redirect could lead to any host, with the credentials of this one.
    const init = { method: 'POST', headers, body: JSON.stringify(body), redirect: 'manual' } as const;
    const maxBytes = maxBytesOf(calls);
    const { status, text, retryAfterMs } = await limit.run(
      calls.length,
      () => fetchAnswer({ url: target.url, init, host, label, fetch, timeoutMs, maxBytes, signal }),
      signal,
    );
    const answer = parseJson(text);
    // Some providers send JSON-RPC errors with status 400 rather than 200. A rate limit (429) is not such an error.
    const refused = status >= 400 && status < 500 && status !== 429 && holdsErrors(answer);
    if (!(status >= 200 && status < 300) && !refused) throw fail({ kind: 'http', status, retryAfterMs });
    if (answer === undefined) {
      throw fail({
        kind: 'malformed',
        message: `${text.length} characters that are not JSON, or hold too many values`,
      });
    }
    return answer;
  }

  function readReply(method: string, id: number, answer: unknown): RpcReply {
    const fail = (fault: RemoteFault): RpcReply => ({ error: new RemoteError(host, method, fault) });
    if (typeof answer !== 'object' || answer === null) return fail({ kind: 'malformed', message: 'not an object' });
    const reply = answer as {
      id?: unknown;
      result?: unknown;
      error?: { code?: unknown; message?: unknown; data?: unknown };
    };
    const failed = reply.error !== undefined && reply.error !== null;
    // An error that occurs before the request was parsed has no id.
    if (reply.id !== id && !(failed && (reply.id ?? null) === null)) {
      const got = String(JSON.stringify(reply.id)).slice(0, 40);
      return fail({ kind: 'malformed', message: `got id ${got}, expected ${id}` });
    }
    if (failed) {
      const message = hide(String(reply.error?.message ?? '')).slice(0, MAX_MESSAGE_LENGTH);
      const data = findRevertData(reply.error);
      return fail({
        kind: 'refused',
        code: Number(reply.error?.code ?? 0),
        message,
        ...(data === null ? {} : { data }),
      });
    }
    return 'result' in reply
      ? { result: reply.result }
      : fail({ kind: 'malformed', message: 'neither result nor error' });
  }

  async function postBatch(calls: readonly Call[]): Promise<RpcReply[]> {
    const requests = calls.map((call) => ({ jsonrpc: '2.0', id: nextId++, ...call }));
    const answer = await post(calls, requests, `batch of ${calls.length}`);
    if (!Array.isArray(answer)) {
      // One error for the whole batch, or no valid response.
      const shared = holdsErrors(answer) ? answer : undefined;
      return requests.map(({ id, method }) => readReply(method, id, shared));
    }
    const byId = new Map<unknown, unknown>(answer.map((item) => [(item as { id?: unknown } | null)?.id, item]));
    return requests.map(({ id, method }) => readReply(method, id, byId.get(id)));
  }
  const maxBatch = Math.min(limit.maxBatch, MAX_BATCH);

  return {
    host,
    async send({ method, params }) {
      const id = nextId++;
      const call = { method, params };
      const reply = readReply(method, id, await post([call], { jsonrpc: '2.0', id, ...call }, method));
      if ('error' in reply) throw reply.error;
      return reply.result;
    },
    async sendBatch(calls) {
      const replies: RpcReply[] = [];
      for (let i = 0; i < calls.length; i += maxBatch) replies.push(...(await postBatch(calls.slice(i, i + maxBatch))));
      return replies;
    },
  };
}

function holdsErrors(answer: unknown): boolean {
  const [first] = Array.isArray(answer) ? answer : [answer];
  return typeof (first as { error?: unknown } | null | undefined)?.error === 'object';
}

/** Calls per batch request. */
const MAX_BATCH = 50;

/** Providers name the range that they accept at the end of some three hundred characters. */
const MAX_MESSAGE_LENGTH = 1_000;

/**
 * Bytes of an answer after decompression. A range whose logs take more is split; a block of the chain cannot. A contract
 * that is called may return or revert with anything; all requests to gateways for a name take some 200 KiB.
 */
const MAX_BYTES: Readonly<Record<string, number>> = { eth_getLogs: 2 ** 26, eth_call: 2 ** 20 };
/** Blocks with the hashes of their transactions, and everything smaller. */
const MAX_OTHER_BYTES = 2 ** 19;

const maxBytesOf = (calls: readonly Call[]) =>
  calls.reduce((sum, { method }) => sum + (MAX_BYTES[method] ?? MAX_OTHER_BYTES), 0);

/** Providers that relay to another node nest its error a few levels deep. */
const MAX_DEPTH = 4;
/** Parity and its successors return the data in a text such as `Reverted 0x08c379a0…`. */
const REVERTED = /^(?:Reverted|execution reverted:?)\s+(0x[0-9a-f]*)$/i;

/** Finds the revert data in a JSON-RPC error: in `data`, in an error nested in it, or in a text. Null if it has none. */
export function findRevertData(error: unknown, depth = 0): Hex | null {
  if (typeof error === 'string') return parseHex(REVERTED.exec(error.trim())?.[1] ?? error);
  if (typeof error !== 'object' || error === null || depth > MAX_DEPTH) return null;
  const { data, originalError, error: inner, cause, message } = error as Record<string, unknown>;
  for (const part of [data, originalError, inner, cause]) {
    const found = findRevertData(part, depth + 1);
    if (found !== null) return found;
  }
  return typeof message === 'string' && REVERTED.test(message.trim()) ? findRevertData(message) : null;
}
