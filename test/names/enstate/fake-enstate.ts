import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getAddress } from 'viem';

/** A received request. */
export interface ReceivedRequest {
  readonly bulk: boolean;
  readonly queries: readonly string[];
  readonly fresh: boolean;
  /** As received. */
  readonly url: string;
  readonly authorization: string | undefined;
}

/** A response that replaces the normal one. */
export type Fault = (response: ServerResponse) => void;

/** One result: a profile or an error. */
export type Answer = Readonly<Record<string, unknown>>;

/** A fake enstate server, with its quirks. */
export interface FakeEnstate {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** The clock of the server. */
  clock: number;
  /** The bulk limit. */
  maximum: number;
  /** Whether bulk results are in byte order or in query order. */
  sorts: boolean;
  /** Whether its own node fails: it then returns 404 for everything outside of its cache. */
  nodeDown: boolean;
  /** Cached results by query. */
  readonly cache: Map<string, Answer>;
  /** Scripted results by query, used in order. */
  readonly script: Map<string, Answer[]>;
  /** Selects the requests that fail, and how. */
  faultOf: (received: ReceivedRequest) => Fault | undefined;
  /** Adds a name with forward and reverse resolution. */
  addName(name: string, account: string, more?: Answer): void;
  /** Adds a name that is no primary name. */
  addProfile(name: string, profile: Answer): void;
  removeName(name: string): void;
  stop(): Promise<void>;
}

export const notFound: Answer = { type: 'error', status: 404, error: 'Not Found' };
export const notOwned: Answer = { type: 'error', status: 422, error: 'RPC error: reverse record not owned' };
export const ccipError: Answer = { type: 'error', status: 502, error: 'CCIP error: gateway did not answer' };
export const otherError: Answer = { type: 'error', status: 500, error: 'RPC error: connection refused' };

const DOMAIN = /^(?:[^.]+\.)+[a-zA-Z]{2,}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const RESOLVER = '0x231b0Ee14048e9dCcD1d247744d114a4EB5E8E63';

export async function startFakeEnstate(clock: number): Promise<FakeEnstate> {
  const primaryNames = new Map<string, string>();
  const profiles = new Map<string, Answer>();

  const find = (query: string, fresh: boolean): Answer => {
    const scripted = fake.script.get(query)?.shift();
    if (scripted !== undefined) return scripted;
    const cached = fake.cache.get(query);
    if (cached !== undefined && !fresh) return cached;
    if (fake.nodeDown) return notFound;
    if (!ADDRESS.test(query) && !DOMAIN.test(query)) return notFound;
    const profile = profiles.get(ADDRESS.test(query) ? (primaryNames.get(query) ?? '') : query);
    return profile === undefined ? notFound : { type: 'success', fresh: fake.clock, ...profile };
  };

  const answer = (received: ReceivedRequest, response: ServerResponse): void => {
    const queries = [...new Set(received.queries.map((query) => query.toLowerCase()))];
    if (fake.sorts) queries.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    if (queries.length > fake.maximum) {
      const error = `maximum input length exceeded (expected at most ${fake.maximum})`;
      sendJson(response, 400, { status: 400, error });
      return;
    }
    const found = queries.map((query) => find(query, received.fresh));
    const { type, ...one } = found[0] ?? notFound;
    if (received.bulk) sendJson(response, 200, { response_length: found.length, response: found });
    else sendJson(response, type === 'success' ? 200 : Number(one.status), one);
  };

  const server = createServer((request, response) => {
    const received = readRequest(request);
    fake.requests.push(received);
    const fault = fake.faultOf(received);
    if (fault !== undefined) fault(response);
    else answer(received, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const fake: FakeEnstate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    clock,
    maximum: 10,
    sorts: true,
    nodeDown: false,
    cache: new Map(),
    script: new Map(),
    faultOf: () => undefined,
    addName(name, account, more) {
      primaryNames.set(account, name);
      profiles.set(name, profileOf(name, account, more));
    },
    addProfile(name, profile) {
      profiles.set(name, { ...profileOf(name), ...profile });
    },
    removeName(name) {
      profiles.delete(name);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return fake;
}

/** A profile in the format of enstate: empty fields are omitted. */
export function profileOf(name: string, account?: string, more: Answer = {}): Answer {
  const address = account === undefined ? {} : { address: getAddress(account) };
  return { name, ...address, display: name, records: {}, chains: {}, resolver: RESOLVER, errors: {}, ...more };
}

/** Matches the end of the path, so that the server may have any base path. */
function readRequest(request: IncomingMessage): ReceivedRequest {
  const url = request.url ?? '';
  const { pathname, searchParams } = new URL(url, 'http://fake');
  const bulk = pathname.endsWith('/bulk/u');
  const one = decodeURIComponent(/\/u\/([^/]*)$/.exec(pathname)?.[1] ?? '');
  return {
    bulk,
    queries: bulk ? searchParams.getAll('queries[]') : [one],
    fresh: searchParams.get('fresh') === 'true',
    url,
    authorization: request.headers.authorization,
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
