import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Random } from '../model/random.ts';

/** Faults of a provider, and the fault kind that the metrics count each under. */
export const FAULTS = {
  'rate limit': 'http',
  'internal error': 'http',
  overload: 'http',
  silence: 'timeout',
  'silence in the middle of the body': 'timeout',
  'dropped connection': 'unreachable',
  'connection dropped in the middle of the body': 'unreachable',
  'truncated JSON': 'malformed',
  'HTML page': 'malformed',
  error: 'refused',
  'error with status 400': 'refused',
  'wrong id': 'malformed',
  'error inside a batch': 'refused',
  'answer missing in a batch': 'malformed',
  'wrong id in a batch': 'malformed',
} as const;

export type Fault = keyof typeof FAULTS;

const allFaults = Object.keys(FAULTS) as Fault[];
const BATCH_FAULTS: readonly Fault[] = ['error inside a batch', 'answer missing in a batch', 'wrong id in a batch'];

/** Decides the fault of one request, if any. */
export type Script = (isBatch: boolean) => Fault | null;

export const noFaults: Script = () => null;

const fits = (fault: Fault, isBatch: boolean) => isBatch || !BATCH_FAULTS.includes(fault);

/** Injects the fault into the first `times` requests that it applies to. */
export function faultTimes(times: number, fault: Fault): Script {
  let left = times;
  return (isBatch) => (fits(fault, isBatch) && left-- > 0 ? fault : null);
}

/** Injects the fault into every third request that it applies to, `times` times. */
export function faultEveryThird(times: number, fault: Fault): Script {
  let seen = 0;
  return (isBatch) => (fits(fault, isBatch) && seen++ % 3 === 0 && seen <= times * 3 ? fault : null);
}

/** Injects random faults. */
export function randomFaults(random: Random, probability: number): Script {
  return (isBatch) =>
    random.chance(probability) ? random.pick(allFaults.filter((fault) => fits(fault, isBatch))) : null;
}

/** A provider in front of a real node that injects faults. */
export interface ProviderProxy {
  /** With an API key in the path and the query. */
  readonly url: string;
  readonly host: string;
  /** May be replaced at any time. */
  script: Script;
  /** The faults so far. */
  readonly injected: Fault[];
  /** The number of requests so far. */
  readonly requests: () => number;
  stop(): Promise<void>;
}

/** Parts of the URL that no output may contain. */
export const SECRETS = ['SECRETKEY', '/v2/', 'SECRETTOKEN'];
const PATH = '/v2/SECRETKEY?token=SECRETTOKEN';

export async function startProxy(upstream: string, script: Script = noFaults): Promise<ProviderProxy> {
  const injected: Fault[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = JSON.parse(await text(request));
    requests += 1;
    const fault = request.url === PATH ? proxy.script(Array.isArray(call)) : 'internal error';
    if (fault !== null) injected.push(fault);
    const headers = { 'content-type': 'application/json' };
    const found = await fetch(upstream, { method: 'POST', headers, body: JSON.stringify(call) });
    sendWithFault(response, fault, (await found.json()) as Answer | Answer[], proxy.url);
  }

  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: ProviderProxy = {
    url: `http://${host}${PATH}`,
    host,
    script,
    injected,
    requests: () => requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

interface Answer {
  readonly id: number;
}

/** Sends the response with the fault. Errors repeat the URL, as those of some providers do. */
function sendWithFault(response: ServerResponse, fault: Fault | null, answer: Answer | Answer[], url: string): void {
  const body = JSON.stringify(answer);
  const send = (status: number, content: unknown, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(content));
  const sendText = (status: number, text: string) => response.writeHead(status).end(text);
  const sendHalf = () => {
    response.writeHead(200, { 'content-length': body.length });
    response.write(body.slice(0, body.length / 2));
  };
  const each = (change: (reply: Answer) => object) => (Array.isArray(answer) ? answer.map(change) : change(answer));
  const [first, ...rest] = Array.isArray(answer) ? answer : [answer];
  const toError = (reply: Answer | undefined) => ({
    jsonrpc: '2.0',
    id: reply?.id,
    error: { code: -32000, message: `SECRETKEY has no right to ask this of ${url}` },
  });
  const withWrongId = (reply: Answer | undefined) => ({ ...reply, id: (reply?.id ?? 0) + 1_000 });

  const acts: Record<Fault, () => unknown> = {
    'rate limit': () => send(429, each(toError), { 'retry-after': '1' }),
    'internal error': () => send(500, each(toError)),
    overload: () => sendText(503, `<h1>${url} is busy</h1>`),
    silence: () => undefined,
    'silence in the middle of the body': sendHalf,
    'dropped connection': () => response.destroy(),
    'connection dropped in the middle of the body': () => {
      sendHalf();
      // After the first half is sent, so that the connection ends within the body.
      setImmediate(() => response.destroy());
    },
    'truncated JSON': () => sendText(200, body.slice(0, body.length / 2)),
    'HTML page': () => sendText(200, `<h1>Welcome to ${url}</h1>`),
    error: () => send(200, each(toError)),
    'error with status 400': () => send(400, each(toError)),
    'wrong id': () => send(200, each(withWrongId)),
    'error inside a batch': () => send(200, [...rest, toError(first)]),
    'answer missing in a batch': () => send(200, rest),
    'wrong id in a batch': () => send(200, [...rest, withWrongId(first)]),
  };
  if (fault === null) send(200, answer);
  else acts[fault]();
}
