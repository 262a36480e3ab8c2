import { Worker } from 'node:worker_threads';
import type { Executor } from '../executor.ts';
import { type Rows, toObjects } from './executor.ts';
import type { SqliteWriter } from './writer.ts';

export interface Request {
  readonly id: number;
  readonly method: keyof Executor | 'checkpoint' | 'close';
  readonly args: readonly unknown[];
}

export type Reply = { readonly id: number } & (
  | { readonly found: Rows }
  | { readonly positions: number[] }
  | { readonly done: true }
  | { readonly error: { readonly message: string; readonly code: unknown } }
);

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** Writes in a thread of its own, started at the first write: reading, folding and answering go on meanwhile. */
export function openWriterThread(path: string): SqliteWriter {
  let worker: Worker | undefined;
  let broken: Error | undefined;
  let nextId = 1;
  const waiting = new Map<number, Waiting>();

  const start = () => {
    const started = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: { path },
    });
    started.on('message', (reply: Reply) => {
      const { resolve, reject } = waiting.get(reply.id) as Waiting;
      waiting.delete(reply.id);
      if ('error' in reply) reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }));
      else resolve(reply);
    });
    const fail = (error: Error) => {
      broken = error;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on('error', fail);
    started.on('exit', (code) => fail(broken ?? new Error(`the thread that writes ended with code ${code}`)));
    return started;
  };
  const ask = (method: Request['method'], ...args: unknown[]) =>
    new Promise<Reply>((resolve, reject) => {
      if (broken !== undefined) return reject(broken);
      worker ??= start();
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, method, args } satisfies Request);
    });

  return {
    executor: {
      run: async (...args) => rowsIn(await ask('run', ...args)),
      select: async (...args) => rowsIn(await ask('select', ...args)),
      async write(...args) {
        await ask('write', ...args);
      },
      async insertNew(...args) {
        const reply = await ask('insertNew', ...args);
        if (!('positions' in reply)) throw new Error('an insert was not answered with positions');
        return reply.positions;
      },
    },
    async checkpoint() {
      await ask('checkpoint');
    },
    async close() {
      if (worker === undefined) return;
      try {
        if (broken === undefined) await ask('close');
      } finally {
        await worker.terminate();
      }
    },
  };
}

function rowsIn(reply: Reply): object[] {
  if (!('found' in reply)) throw new Error('a query was not answered with rows');
  return toObjects(reply.found);
}
