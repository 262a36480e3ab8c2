import { once } from 'node:events';
import { addAbortSignal, type Readable } from 'node:stream';
import { encodeHeader } from './header-value.ts';
import { META_KEY } from './mcp-server.ts';

/** Posts a message to a server. */
export type Post = (
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly text: string }>;

export interface StdioOptions {
  readonly input: Readable;
  readonly output: NodeJS.WritableStream;
  readonly post: Post;
  /** Ends it like the end of the input, without the requests that are in progress. */
  readonly signal: AbortSignal;
}

/** A call of a tool takes less than 1 KiB. */
const MAX_LINE = 64 * 1024;
/** Then no further lines are read. */
const MAX_RUNNING = 16;
const INTERNAL_ERROR = -32_603;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Connects the standard input and output of a process, a message of the Model Context Protocol on each line, to a server
 * over HTTP. Returns at the end of the input, when all requests are answered.
 */
export async function serveStdio({ input, output, post, signal }: StdioOptions): Promise<void> {
  const running = new Set<Promise<void>>();
  const requests = new Map<unknown, AbortController>();

  async function write(message: object): Promise<void> {
    if (!output.write(`${JSON.stringify(message)}\n`)) await once(output, 'drain');
  }

  const fail = (id: unknown, message: string) =>
    write({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code: INTERNAL_ERROR, message } });

  async function answer(line: string): Promise<void> {
    const message = parse(line);
    const { id, method, params } = isObject(message) ? message : {};
    if (id === undefined && typeof method === 'string') {
      // No other notification means anything to a server without state.
      if (method === 'notifications/cancelled' && isObject(params)) requests.get(params.requestId)?.abort();
      return;
    }
    const cancelled = new AbortController();
    requests.set(id, cancelled);
    try {
      const { status, text } = await post(line, headersOf(message), AbortSignal.any([signal, cancelled.signal]));
      if (cancelled.signal.aborted) return;
      const reply = parse(text);
      if (isObject(reply) && reply.jsonrpc === '2.0') await write(reply);
      else await fail(id, describe(status, reply));
    } catch (error) {
      if (!cancelled.signal.aborted && !signal.aborted) await fail(id, `no answer: ${reasonOf(error)}`);
    } finally {
      requests.delete(id);
    }
  }

  try {
    for await (const line of linesOf(addAbortSignal(signal, input))) {
      const work = line === null ? fail(undefined, `a line is longer than ${MAX_LINE} characters`) : answer(line);
      running.add(work);
      void work.finally(() => running.delete(work));
      if (running.size >= MAX_RUNNING) await Promise.race(running);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  await Promise.all(running);
}

/** The lines of an input that are not empty; null for one that is too long, which is skipped. */
async function* linesOf(input: Readable): AsyncGenerator<string | null> {
  const decoder = new TextDecoder();
  let rest = '';
  let isSkipping = false;
  for await (const chunk of input) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!isSkipping && line.length > MAX_LINE) yield null;
      else if (!isSkipping && line.trim() !== '') yield line;
      isSkipping = false;
    }
    if (rest.length <= MAX_LINE) continue;
    if (!isSkipping) yield null;
    isSkipping = true;
    rest = '';
  }
  if (!isSkipping && rest.trim() !== '') yield rest;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Over HTTP, a request repeats in headers what proxies may route it by. */
function headersOf(message: unknown): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  if (!isObject(message) || !isObject(message.params)) return headers;
  const { method, params } = message;
  const version = isObject(params._meta) ? params._meta[META_KEY] : undefined;
  if (typeof version !== 'string') return headers;
  headers['mcp-protocol-version'] = encodeHeader(version);
  if (typeof method === 'string') headers['mcp-method'] = encodeHeader(method);
  if (typeof params.name === 'string') headers['mcp-name'] = encodeHeader(params.name);
  return headers;
}

/** What an answer means that is no message of the protocol, such as an RFC 9457 problem. */
function describe(status: number, body: unknown): string {
  const detail = isObject(body) && typeof body.detail === 'string' ? `: ${body.detail}` : '';
  return `the server answered with status ${status}${detail}`;
}

/** Of the error that `fetch` wraps, if it has one. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
