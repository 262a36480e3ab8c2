import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sqliteDialect } from '../dialect.ts';
import { compile, createBuilder } from '../prepare.ts';
import type { BuildQuery, Reader } from '../store.ts';
import type { DatabaseFile } from './database-file.ts';
import { type Rows, toObjects } from './executor.ts';

export interface HeavyQuery {
  readonly id: number;
  readonly text: string;
  readonly values: readonly unknown[];
}

export type HeavyReply = { readonly id: number } & (
  | { readonly found: Rows }
  | { readonly error: { readonly message: string; readonly code: unknown } }
);

interface PendingQuery {
  resolve(found: Rows): void;
  reject(error: Error): void;
}

export interface HeavyReader extends Reader {
  close(): Promise<void>;
}

/** Compiled or, in tests, the source. */
const WORKER_FILE = new URL(`./heavy-worker${extname(import.meta.url)}`, import.meta.url);

const builder = createBuilder('sqlite');

/** Reads in a worker thread, started by the first query, so that a long query does not block the event loop. */
export function createHeavyReader(path: string, file: DatabaseFile): HeavyReader {
  const pending = new Map<number, PendingQuery>();
  let worker: Worker | undefined;
  let nextId = 1;

  function start(): Worker {
    const started = new Worker(WORKER_FILE, { workerData: { path } });
    started.on('message', (reply: HeavyReply) => {
      // Safe: the worker replies once to each query.
      const { resolve, reject } = pending.get(reply.id) as PendingQuery;
      pending.delete(reply.id);
      if ('found' in reply) resolve({ ...reply.found, rows: reply.found.rows.map(withBuffers) });
      else reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }));
    });
    // The next query starts another thread.
    const fail = (error: Error) => {
      if (worker === started) worker = undefined;
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    };
    started.on('error', fail);
    started.on('exit', (code) => fail(new Error(`the database reader thread exited with code ${code}`)));
    return started;
  }

  const send = (text: string, values: readonly unknown[]) =>
    new Promise<Rows>((resolve, reject) => {
      worker ??= start();
      const id = nextId++;
      pending.set(id, { resolve, reject });
      worker.postMessage({ id, text, values } satisfies HeavyQuery);
    });

  const run = (text: string, values: readonly unknown[]) => file.guard(() => send(text, values));

  return {
    dialect: sqliteDialect,
    // Each query is a snapshot of its own.
    inSnapshot: (work) => work(),
    sync: null,
    prepare<P, R>(build: BuildQuery<R>) {
      const { text, bind } = compile(build(builder));
      // Safe: the columns of the query are the fields of its rows.
      return async (params: P) => toObjects(await run(text, bind(params as object))) as R[];
    },
    prepareColumn<P, V>(build: BuildQuery<Record<string, V>>) {
      const { text, bind } = compile(build(builder));
      // Safe: the query selects one column of this type.
      return async (params: P) => (await run(text, bind(params as object))).rows.map(([value]) => value as V);
    },
    async close() {
      const stopped = worker;
      worker = undefined;
      await stopped?.terminate();
    },
  };
}

/** A Buffer that was sent between threads arrives as a Uint8Array. */
function withBuffers(row: readonly unknown[]): unknown[] {
  return row.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value,
  );
}
