import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { withDeadline } from '../../async/deadline.ts';
import { createReader } from '../create-reader.ts';
import { sqliteDialect } from '../dialect.ts';
import { type Reader, StoreUnavailableError } from '../store.ts';
import type { DatabaseFile } from './database-file.ts';
import { type Rows, toObjects } from './executor.ts';
import { createWorkerClient, type WorkerClient } from './worker-calls.ts';

export interface HeavyMethods {
  read(text: string, values: readonly unknown[]): Rows;
}

export interface HeavyReader extends Reader {
  close(): Promise<void>;
}

/** Compiled or, in tests, the source. */
const WORKER_FILE = new URL(`./heavy-worker${extname(import.meta.url)}`, import.meta.url);

/** Rows are passed on at once, so that more young objects would only take memory. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 4 };

/** Longer than any search takes at ten million accounts. A query that takes longer waits for a disk that hangs. */
const MAX_QUERY_MS = 30_000;

/** Reads in a worker thread, started by the first query, so that a long query does not block the event loop. */
export function createHeavyReader(path: string, file: DatabaseFile): HeavyReader {
  let thread: WorkerClient<HeavyMethods> | undefined;
  let isClosed = false;

  const send = async (text: string, values: readonly unknown[]): Promise<Rows> => {
    if (isClosed) throw new Error('the database is closed');
    thread ??= startThread(path);
    const used = thread;
    const late = () => new StoreUnavailableError(`${path}: a query did not end in time`);
    try {
      const found = await withDeadline(used.call('read', text, values), MAX_QUERY_MS, late);
      return { ...found, rows: found.rows.map(withBuffers) };
    } catch (error) {
      // The next query starts another thread.
      if (thread === used && (error instanceof StoreUnavailableError || used.hasExited())) {
        thread = undefined;
        void used.stop();
      }
      throw error;
    }
  };
  const run = (text: string, values: readonly unknown[]) => file.guard(() => send(text, values));

  const reader = createReader('sqlite', sqliteDialect, ({ text, bind }) => {
    return async (params) => toObjects(await run(text, bind(params)));
  });
  return {
    ...reader,
    async close() {
      isClosed = true;
      await thread?.stop();
    },
  };
}

function startThread(path: string): WorkerClient<HeavyMethods> {
  const worker = new Worker(WORKER_FILE, { workerData: { path }, resourceLimits: THREAD_LIMITS });
  return createWorkerClient(worker, 'the database reader thread');
}

/** A Buffer that was sent between threads arrives as a Uint8Array. */
function withBuffers(row: readonly unknown[]): unknown[] {
  return row.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value,
  );
}
