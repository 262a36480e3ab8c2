import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { withDeadline } from '../../async/deadline.ts';
import { turnOfOwn } from '../../async/turn-of-own.ts';
import { createWorkerClient, type WorkerClient } from '../../async/worker-calls.ts';
import { sqliteDialect } from '../dialect.ts';
import type { Compiled } from '../params.ts';
import { createReader, createSnapshotReader, createStreamReader } from '../statement.ts';
import { type Reader, type SnapshotReader, StoreUnavailableError, type StreamReader } from '../store.ts';
import { requireShort } from '../take-rows.ts';
import type { DatabaseFile } from './database-file.ts';
import { columnNames, rowMaker } from './executor.ts';
import type { ReaderMethods } from './reader-worker.ts';

/** Reads on `db`, a connection that never writes. A short reader rejects a result that is too long. */
export function createSqliteReader(db: Database, file: DatabaseFile, { isShort = false } = {}): Reader {
  const prepare = ({ text, bind }: Compiled) => {
    const statement = file.read(() => db.prepare<unknown[], unknown[]>(text).raw());
    const toRows = rowMaker(columnNames(statement));
    return async (params: object) => {
      // Stepping through the rows here instead would take 14 µs more for eleven of them.
      const rows = file.read(() => statement.all(...bind(params)));
      return toRows(isShort ? requireShort(rows, (row) => row) : rows);
    };
  };
  return createReader(sqliteDialect, prepare, isShort);
}

/** Reads in a thread: the rows of one query in chunks. */
export function createThreadStreamReader(thread: ReaderThread): StreamReader {
  return createStreamReader(sqliteDialect, (compiled, params) => takeChunks(thread.connect(), compiled, params));
}

/** The same with all rows at once. */
export function createThreadReader(thread: ReaderThread): Reader {
  const { stream } = createThreadStreamReader(thread);
  return {
    dialect: sqliteDialect,
    all: async (statement, params) => collect(stream(statement, params)),
  };
}

async function collect<R>(chunks: AsyncGenerator<R[]>): Promise<R[]> {
  const found: R[] = [];
  for await (const rows of chunks) for (const row of rows) found.push(row);
  return found;
}

/** Snapshots of a thread, whose queries run between those of others. */
export function createThreadSnapshots(thread: ReaderThread): SnapshotReader {
  return createSnapshotReader(sqliteDialect, async (work) => {
    const call = thread.connect();
    const snapshot = ++ids;
    await call('begin', snapshot);
    try {
      return await work((compiled, params) => collect(takeChunks(call, compiled, params, snapshot)));
    } finally {
      // If this fails, so has a query, or the thread has ended.
      await call('commit', snapshot).catch(() => undefined);
    }
  });
}

let ids = 0;

/** By statement: objects that are made field by field took a tenth of the time of a history of events. */
const makers = new WeakMap<Compiled, ReturnType<typeof rowMaker>>();

function makerOf(compiled: Compiled, names: readonly string[]): ReturnType<typeof rowMaker> {
  const known = makers.get(compiled) ?? rowMaker(names);
  makers.set(compiled, known);
  return known;
}

async function* takeChunks(
  call: Call,
  compiled: Compiled,
  params: object,
  snapshot: number | null = null,
): AsyncGenerator<object[]> {
  const { text, bind } = compiled;
  const id = ++ids;
  let isOpen = true;
  try {
    let chunk = await call('open', id, text, bind(params), snapshot);
    for (;;) {
      isOpen = !chunk.isLast;
      // The thread reads on while these rows are used.
      const following = isOpen ? call('take', id) : null;
      following?.catch(() => undefined);
      // One per turn of the event loop, even if several have arrived.
      await turnOfOwn();
      if (chunk.rows.length > 0) yield makerOf(compiled, chunk.names)(chunk.rows);
      if (following === null) return;
      chunk = await following;
    }
  } finally {
    // If this fails, so has the query, or its thread has ended.
    if (isOpen) await call('close', id).catch(() => undefined);
  }
}

type Call = WorkerClient<ReaderMethods>['call'];

type ReaderThread = ReturnType<typeof createReaderThread>;

/** Compiled or, in tests, the source. */
const WORKER_FILE = new URL(`./reader-worker${extname(import.meta.url)}`, import.meta.url);

/** Rows are passed on at once, so that more young objects would only take memory. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 4 };

/** Longer than any search takes at ten million accounts. A query that takes longer waits for a disk that hangs. */
const MAX_QUERY_MS = 30_000;

/**
 * A thread with connections of its own, so that a long query does not block the event loop. The first query starts it. One
 * that does not answer, or has exited, is replaced.
 */
export function createReaderThread(path: string, file: DatabaseFile) {
  let thread: WorkerClient<ReaderMethods> | undefined;
  let isClosed = false;
  const late = () => new StoreUnavailableError(`${path}: a query did not end in time`);

  const callOf = (used: WorkerClient<ReaderMethods>): Call => {
    const answer: Call = async (method, ...args) => {
      try {
        return await withDeadline(used.call(method, ...args), MAX_QUERY_MS, late);
      } catch (error) {
        if (error instanceof StoreUnavailableError) {
          if (thread === used) thread = undefined;
          void used.stop();
        } else if (used.hasExited() && !isClosed) {
          throw new StoreUnavailableError(`${path}: ${(error as Error).message}`, { cause: error });
        }
        throw error;
      }
    };
    // What has begun is ended even if the files are not intact: its snapshot would keep the WAL from being reset.
    return (method, ...args) =>
      method === 'close' || method === 'commit' ? answer(method, ...args) : file.guard(() => answer(method, ...args));
  };

  return {
    /** The calls of one query: a thread that is started later does not know it. */
    connect() {
      if (isClosed) throw new Error('the database is closed');
      if (thread === undefined || thread.hasExited()) {
        const worker = new Worker(WORKER_FILE, { workerData: { path }, resourceLimits: THREAD_LIMITS });
        thread = createWorkerClient(worker, 'the database reader thread');
      }
      return callOf(thread);
    },
    async stop() {
      isClosed = true;
      await thread?.stop();
    },
  };
}
