import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { withDeadline } from '../../async/deadline.ts';
import { createWorkerClient, type WorkerClient } from '../../async/worker-calls.ts';
import { StoreUnavailableError } from '../store.ts';
import type { DatabaseFile } from './database-file.ts';
import type { Rows } from './executor.ts';

export interface Chunk extends Rows {
  /** Whether the query has ended, which closes it. */
  readonly isLast: boolean;
}

export interface ReaderMethods {
  read(text: string, values: readonly unknown[]): Rows;
  /** Starts a query under an id that the caller chooses, and returns its first rows. */
  open(id: number, text: string, values: readonly unknown[]): Chunk;
  /** The next rows of an open query. */
  take(id: number): Chunk;
  close(id: number): void;
}

/** A thread with a connection of its own, so that a long query does not block the event loop. */
export interface ReaderThread {
  readonly call: WorkerClient<ReaderMethods>['call'];
  stop(): Promise<void>;
}

/** Compiled or, in tests, the source. */
const WORKER_FILE = new URL(`./reader-worker${extname(import.meta.url)}`, import.meta.url);

/** Rows are passed on at once, so that more young objects would only take memory. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 4 };

/** Longer than any search takes at ten million accounts. A query that takes longer waits for a disk that hangs. */
const MAX_QUERY_MS = 30_000;

/** The first call starts the thread. One that does not answer is replaced. */
export function createReaderThread(path: string, file: DatabaseFile): ReaderThread {
  let thread: WorkerClient<ReaderMethods> | undefined;
  let isClosed = false;
  return {
    call(method, ...args) {
      return file.guard(async () => {
        if (isClosed) throw new Error('the database is closed');
        thread ??= start(path);
        const used = thread;
        const late = () => new StoreUnavailableError(`${path}: a query did not end in time`);
        try {
          return await withDeadline(used.call(method, ...args), MAX_QUERY_MS, late);
        } catch (error) {
          // The next call starts another thread.
          if (thread === used && (error instanceof StoreUnavailableError || used.hasExited())) {
            thread = undefined;
            void used.stop();
          }
          throw error;
        }
      });
    },
    async stop() {
      isClosed = true;
      await thread?.stop();
    },
  };
}

function start(path: string): WorkerClient<ReaderMethods> {
  const worker = new Worker(WORKER_FILE, { workerData: { path }, resourceLimits: THREAD_LIMITS });
  return createWorkerClient(worker, 'the database reader thread');
}
