import { parseHex } from '../protocol/hex.ts';
import { fetchAnswer, parseJson } from '../remote/fetch-answer.ts';
import { RemoteError, type RemoteFault } from '../remote/remote-error.ts';
import { readTarget } from '../remote/target.ts';

export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a node said to one call. */
export type Reply = { readonly result: unknown } | { readonly error: RemoteError };

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
  const target = readTarget(url);
  const { host, hide } = target;
  const headers = { ...target.headers, 'content-type': 'application/json' };
  let nextId = 1;

  async function post(body: unknown, label: string): Promise<unknown> {
    const fail = (fault: RemoteFault) => new RemoteError(host, label, fault);
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const { status, text, retryAfterMs } = await fetchAnswer({
      url: target.url,
      init,
      host,
      label,
      fetch,
      timeoutMs,
      maxBytes: LONGEST_ANSWER,
      signal,
    });
    const answer = parseJson(text);
    // Some providers refuse with status 400 what others refuse with 200. Too many requests are no refusal.
    const refused = status >= 400 && status < 500 && status !== 429 && holdsErrors(answer);
    if (!(status >= 200 && status < 300) && !refused) throw fail({ kind: 'http', status, retryAfterMs });
    if (answer === undefined) {
      throw fail({ kind: 'malformed', message: `${text.length} characters that are not JSON` });
    }
    return answer;
  }

  function readReply(method: string, id: number, answer: unknown): Reply {
    const fail = (fault: RemoteFault): Reply => ({ error: new RemoteError(host, method, fault) });
    if (typeof answer !== 'object' || answer === null) return fail({ kind: 'malformed', message: 'no object' });
    const reply = answer as {
      id?: unknown;
      result?: unknown;
      error?: { code?: unknown; message?: unknown; data?: unknown };
    };
    const failed = reply.error !== undefined && reply.error !== null;
    // A node that refuses before it has read the question does not know its id.
    if (reply.id !== id && !(failed && (reply.id ?? null) === null)) {
      const got = String(JSON.stringify(reply.id)).slice(0, 40);
      return fail({ kind: 'malformed', message: `the id ${got} where ${id} was asked` });
    }
    if (failed) {
      const message = hide(String(reply.error?.message ?? '')).slice(0, LONGEST_MESSAGE);
      const data = parseHex(reply.error?.data);
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

function holdsErrors(answer: unknown): boolean {
  const [first] = Array.isArray(answer) ? answer : [answer];
  return typeof (first as { error?: unknown } | null | undefined)?.error === 'object';
}

/** Providers put the range that they would answer at the end of some three hundred characters. */
const LONGEST_MESSAGE = 1_000;

/** As much as a batch of logs of the largest range can be, many times over. */
const LONGEST_ANSWER = 2 ** 28;
