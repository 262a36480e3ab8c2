import { Worker } from 'node:worker_threads';
import type { Executor } from '../executor.ts';
import { type Rows, toObjects } from './executor.ts';
import type { SqliteWriter } from './writer.ts';

export interface WriterRequest {
  readonly id: number;
  readonly method: keyof Executor | 'checkpoint' | 'close';
  readonly args: readonly unknown[];
}

export type WriterReply = { readonly id: number } & (
  | { readonly found: Rows }
  | { readonly positions: number[] }
  | { readonly done: true }
  | { readonly error: { readonly message: string; readonly code: unknown } }
);

interface PendingRequest {
  resolve(reply: WriterReply): void;
  reject(error: Error): void;
}

/** Writes in a worker thread, started by the first write, so that the event loop is not blocked. */
export function openWriterThread(path: string): SqliteWriter {
  let worker: Worker | undefined;
  let failure: Error | undefined;
  let nextId = 1;
  const pending = new Map<number, PendingRequest>();

  const start = () => {
    const started = new Worker(new URL('./writer-worker.js', import.meta.url), {
      workerData: { path },
    });
    started.on('message', (reply: WriterReply) => {
      // Safe: the worker replies once to each request.
      const { resolve, reject } = pending.get(reply.id) as PendingRequest;
      pending.delete(reply.id);
      if ('error' in reply) reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }));
      else resolve(reply);
    });
    const fail = (error: Error) => {
      failure = error;
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    };
    started.on('error', fail);
    started.on('exit', (code) => fail(failure ?? new Error(`the database writer thread exited with code ${code}`)));
    return started;
  };
  const send = (method: WriterRequest['method'], ...args: unknown[]) =>
    new Promise<WriterReply>((resolve, reject) => {
      if (failure !== undefined) return reject(failure);
      worker ??= start();
      const id = nextId++;
      pending.set(id, { resolve, reject });
      worker.postMessage({ id, method, args } satisfies WriterRequest);
    });

  return {
    executor: {
      run: async (...args) => rowsIn(await send('run', ...args)),
      select: async (...args) => rowsIn(await send('select', ...args)),
      async write(...args) {
        await send('write', ...args);
      },
      async insertNew(...args) {
        const reply = await send('insertNew', ...args);
        if (!('positions' in reply)) throw new Error('the reply to an insert has no positions');
        return reply.positions;
      },
    },
    async checkpoint() {
      await send('checkpoint');
    },
    async close() {
      if (worker === undefined) return;
      try {
        if (failure === undefined) await send('close');
      } finally {
        await worker.terminate();
      }
    },
  };
}

function rowsIn(reply: WriterReply): object[] {
  if (!('found' in reply)) throw new Error('the reply to a query has no rows');
  return toObjects(reply.found);
}
