import http, { type IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import { expect } from 'vitest';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { demoSamples } from '../demo/demo-samples.ts';
import { type LogBody, placeLog, word } from '../model/encode-log.ts';
import type { Engine, TestDatabase } from '../support/engines.ts';
import { loadLogs, numberOf } from '../support/load.ts';
import { type Answer, type Service, type ServiceOptions, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** Unix seconds; the clock of the tests does not advance. */
export const NOW = 1_770_000_000;

/** The pictures have another address than the service, as behind a proxy. */
const DEMO = { accounts: 300, seed: 1, now: NOW, pictures: 'http://demo.invalid' };
const loadSmallDemo = (store: Store) => loadDemo(store, DEMO, () => undefined);
/** The most followed account of the demo graph. */
export const STAR = demoSamples(DEMO);

/** A database with its stores and services, closed in reverse order of opening. */
export class ServiceFixture {
  readonly #engine: Engine;
  readonly #closers: (() => Promise<unknown>)[] = [];
  #database: TestDatabase | undefined;
  #isClosing = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** DATABASE_URL of the database; empty before the first `open`. */
  get url(): string {
    return this.#database?.url ?? '';
  }

  /** Opens another store on the same database, as another process would. */
  async open(): Promise<Store> {
    this.#database ??= await this.#use(this.#engine.create());
    const { url, open } = this.#database;
    const location = { engine: 'postgres', url, poolSize: 4 } as const;
    const store = await (this.#engine.name === 'postgres'
      ? openStore(location, { onError: (error) => this.#onError(error) })
      : open());
    this.#closers.push(() => store.close());
    return store;
  }

  async serve(store: Store, options: ServiceOptions = {}): Promise<Service> {
    const service = await startService(store, { now: () => NOW * 1000, ...options });
    this.#closers.push(() => service.close());
    return service;
  }

  async serveDemo(options: ServiceOptions = {}): Promise<Service> {
    this.#database ??= await this.#use(this.#engine.createLoaded(loadSmallDemo));
    return this.serve(await this.open(), options);
  }

  async #use(creating: Promise<TestDatabase>): Promise<TestDatabase> {
    const database = await creating;
    this.#closers.push(() => database.drop());
    return database;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    for (const close of this.#closers.splice(0).reverse()) await close();
    this.#database = undefined;
    this.#isClosing = false;
  }

  /** A closed pool does not wait for its connections to end: dropping the database may terminate some of them. */
  #onError(error: Error): void {
    if (!this.#isClosing) throw error;
  }
}

/**
 * Ingests logs after those of any small history, and waits until `seenBy` sees the new data version. On PostgreSQL the
 * notification arrives over another connection than the commit, so some time after it.
 */
export async function write(store: Store, bodies: readonly LogBody[], seenBy = store): Promise<void> {
  const before = numberOf(seenBy.version.current()) ?? 0;
  const blockNumber = 5000 + before;
  const place = { blockNumber, blockHash: word(BigInt(blockNumber)), time: NOW - 60 };
  await loadLogs(
    store,
    bodies.map((body, logIndex) => placeLog(body, { ...place, logIndex })),
  );
  if (store.engine === 'postgres')
    await waitFor(() => expect(numberOf(seenBy.version.current())).toBeGreaterThan(before));
}

export interface RawRequest {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly agent?: http.Agent;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Buffer;
}

/** Sends the path unchanged over a socket; `fetch` and `inject` would normalise it. */
export function send(base: string, { path, body, ...options }: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0, headers } = response;
        const bytes = Buffer.concat(chunks);
        resolve({ status: statusCode, headers, bytes, body: bytes.toString() });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Sends bytes that need not be HTTP, half-closes the connection, and returns what the server sends until it closes it. */
export function sendBytes(base: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    let received = '';
    const socket = net.connect(Number(port), hostname);
    socket.setEncoding('latin1');
    socket.on('data', (text) => {
      received += text;
    });
    // The server may reset the connection after its response.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
    socket.end(Buffer.from(bytes, 'latin1'));
  });
}

export const PROBLEM_TYPE = /^application\/problem\+json(;|$)/;

/** Asserts a response of RFC 9457 and returns its `detail`. */
export function expectProblem({ status, headers, json }: Answer, expected: { status: number; code: string }): string {
  expect({ status, code: json?.code, contentType: headers.get('content-type') }).toEqual({
    ...expected,
    contentType: expect.stringMatching(PROBLEM_TYPE),
  });
  const { requestId = headers.get('x-request-id'), ...problem } = json;
  expect(requestId).toBe(headers.get('x-request-id'));
  expect(problem).toEqual({
    type: expect.stringMatching(new RegExp(`^urn:.*\\b${expected.code}$|^https?://.*\\b${expected.code}$`)),
    title: expect.stringMatching(/\w/),
    status: expected.status,
    detail: expect.stringMatching(/\w/),
    code: expected.code,
  });
  return json.detail;
}
