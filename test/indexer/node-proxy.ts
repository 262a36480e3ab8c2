import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Call } from '../../src/rpc/endpoint.ts';

/** Forwards a call to the node behind the proxy. */
export type Forward = (call: Call) => Promise<unknown>;

/** Answers a call. What it throws is returned as a JSON-RPC error. */
export type Answerer = (call: Call, forward: Forward) => Promise<unknown>;

/** A provider with scripted behaviour in front of a real node. */
export interface NodeProxy {
  readonly url: string;
  readonly calls: Call[];
  /** Sizes of the batches with more than one call. */
  readonly batches: number[];
  stop(): Promise<void>;
}

/** A JSON-RPC error. */
export class NodeError extends Error {
  readonly code: number;
  /** Of a revert. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

interface Request extends Call {
  readonly id: number;
}

export async function startNodeProxy(target: string, answer: Answerer): Promise<NodeProxy> {
  const calls: Call[] = [];
  const batches: number[] = [];

  const forward: Forward = async ({ method, params }) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { result, error } = (await response.json()) as {
      result?: unknown;
      error?: { code: number; message: string; data?: unknown };
    };
    if (error !== undefined) throw new NodeError(error.code, error.message, error.data);
    return result;
  };
  const reply = async ({ id, method, params }: Request) => {
    const call = { method, params };
    calls.push(call);
    try {
      return { jsonrpc: '2.0', id, result: await answer(call, forward) };
    } catch (error) {
      const { code = -32_603, message, data } = error as Partial<NodeError>;
      return { jsonrpc: '2.0', id, error: { code, message, data } };
    }
  };
  const replyAll = async (request: IncomingMessage) => {
    const body = (await json(request)) as Request | Request[];
    if (!Array.isArray(body)) return reply(body);
    if (body.length > 1) batches.push(body.length);
    const replies: unknown[] = [];
    for (const one of body) replies.push(await reply(one));
    return replies;
  };

  const server = createServer((request, response) => {
    replyAll(request).then(
      (replies) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(replies)),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    batches,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
