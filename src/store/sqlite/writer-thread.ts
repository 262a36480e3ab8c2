import { Worker } from 'node:worker_threads';
import { createWorkerClient, type WorkerClient } from '../../async/worker-calls.ts';
import { type SqliteExecutor, toObjects } from './executor.ts';
import type { SqliteWriter } from './writer.ts';

export interface WriterMethods extends SqliteExecutor {
  checkpoint(): void;
  close(): void;
}

/** Writes in a worker thread, started by the first write, so that the event loop is not blocked. */
export function openWriterThread(path: string): SqliteWriter {
  let client: WorkerClient<WriterMethods> | undefined;
  const start = () => {
    const worker = new Worker(new URL('./writer-worker.js', import.meta.url), { workerData: { path } });
    return createWorkerClient<WriterMethods>(worker, 'the database writer thread');
  };
  const call: WorkerClient<WriterMethods>['call'] = async (...args) => {
    client ??= start();
    return client.call(...args);
  };

  return {
    executor: {
      run: async (...args) => toObjects(await call('run', ...args)),
      select: async (...args) => toObjects(await call('select', ...args)),
      write: (...args) => call('write', ...args),
      insertNew: (...args) => call('insertNew', ...args),
    },
    checkpoint: () => call('checkpoint'),
    async close() {
      try {
        if (client?.hasExited() === false) await client.call('close');
      } finally {
        await client?.stop();
      }
    },
  };
}
