import type pg from 'pg';
import Cursor from 'pg-cursor';
import { withDeadline } from '../../async/deadline.ts';
import { postgresDialect } from '../dialect.ts';
import type { Outage } from '../outage.ts';
import type { Compiled } from '../params.ts';
import { createReader, createSnapshotReader, createStreamReader } from '../statement.ts';
import {
  type Reader,
  type SnapshotReader,
  StoreOverloadedError,
  StoreUnavailableError,
  type StreamReader,
} from '../store.ts';
import { requireShort, takeChunk } from '../take-rows.ts';
import { withTimeout } from './connection.ts';
import { withUnavailable } from './errors.ts';

/**
 * Planner settings for lookups, which read short index ranges whatever the parameters are. By default, PostgreSQL replans a
 * search for each term (2 ms), starts parallel workers for it (10 ms), prefers sequential scans where it misestimates a
 * partial index, and JIT-compiles such plans.
 */
export const LOOKUP_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  max_parallel_workers_per_gather: '0',
  enable_seqscan: 'off',
  jit: 'off',
};

/**
 * Bounds the time of a lookup. The server cancels it, so that a request that was given up leaves no session behind.
 * Lookups only wait for an exclusive lock on a whole table, such as that of a migration.
 */
export const LOOKUP_LIMITS = { statement_timeout: `'8s'`, lock_timeout: `'3s'` };

/** The server's limit applies to all reads of a cursor together. Each of them has to be answered within `QUERY_TIMEOUT_MS`. */
export const STREAM_LIMITS = { ...LOOKUP_LIMITS, statement_timeout: `'2min'` };

/** Longer than `statement_timeout`: expires only if the server does not answer. */
const QUERY_TIMEOUT_MS = 10_000;

/** At 1 ms per query and with ten connections, the last one waits 50 ms. */
const MAX_WAITING = 500;

const cellsOf = (row: object): unknown[] => Object.values(row);

let statements = 0;

/** Runs queries as named prepared statements on any connection of the pool. */
export function createPostgresReader(pool: pg.Pool, outage: Outage, { isShort = false } = {}): Reader {
  const prepare = ({ text, bind }: Compiled) => {
    const name = `kith-${++statements}`;
    return async (params: object) => {
      if (pool.waitingCount >= MAX_WAITING) throw new StoreOverloadedError('too many queries wait for a connection');
      const query = withTimeout({ name, text, values: bind(params) }, QUERY_TIMEOUT_MS);
      const { rows } = await withUnavailable(() => pool.query<object>(query), outage);
      return isShort ? requireShort(rows, cellsOf) : rows;
    };
  };
  return createReader(postgresDialect, prepare, isShort);
}

/** Rows of a stream that are read at once: few, because each may have a long tag. */
const CHUNK_ROWS = 200;

const ignore = () => undefined;

/** Rows are converted and serialised one chunk per turn of the event loop. */
function* inChunks(rows: readonly object[]): Generator<object[]> {
  const given = rows.values();
  for (let isLast = false; !isLast; ) {
    const chunk = takeChunk(given, cellsOf);
    if (chunk.rows.length > 0) yield chunk.rows;
    isLast = chunk.isLast;
  }
}

/** Each stream has a connection of the pool until it ends. */
export function createPostgresStreamReader(pool: pg.Pool, outage: Outage): StreamReader {
  const late = () => new StoreUnavailableError('a query did not end in time');
  return createStreamReader(postgresDialect, async function* ({ text, bind }, params) {
    const client = await withUnavailable(() => pool.connect(), outage);
    // Without a listener, a connection that is lost between two reads would end the process. The next read rejects.
    client.on('error', ignore);
    const cursor = client.query(new Cursor<object>(text, [...bind(params)]));
    let isComplete = false;
    try {
      for (;;) {
        const read = () => withDeadline(cursor.read(CHUNK_ROWS), QUERY_TIMEOUT_MS, late);
        const rows = await withUnavailable(read, outage);
        yield* inChunks(rows);
        if (rows.length < CHUNK_ROWS) break;
      }
      isComplete = true;
    } finally {
      if (isComplete) {
        await cursor.close();
        client.off('error', ignore);
      }
      // A connection with an open portal or an error is not used again.
      client.release(!isComplete);
    }
  });
}

/** Each snapshot has a connection of the pool until it ends. */
export function createPostgresSnapshots(pool: pg.Pool, outage: Outage): SnapshotReader {
  const names = new Map<Compiled, string>();
  const nameOf = (compiled: Compiled) => {
    const name = names.get(compiled) ?? `kith-${++statements}`;
    names.set(compiled, name);
    return name;
  };
  return createSnapshotReader(postgresDialect, async (work) => {
    if (pool.waitingCount >= MAX_WAITING) throw new StoreOverloadedError('too many queries wait for a connection');
    const client = await withUnavailable(() => pool.connect(), outage);
    // Without a listener, a connection that is lost between two statements would end the process. The next one rejects.
    client.on('error', ignore);
    const query = (config: pg.QueryConfig) =>
      withUnavailable(() => client.query<object>(withTimeout(config, QUERY_TIMEOUT_MS)), outage);
    let isComplete = false;
    try {
      await query({ text: 'begin isolation level repeatable read read only' });
      const result = await work(async (compiled, params) => {
        const { rows } = await query({ name: nameOf(compiled), text: compiled.text, values: compiled.bind(params) });
        return rows;
      });
      await query({ text: 'commit' });
      isComplete = true;
      return result;
    } finally {
      client.off('error', ignore);
      // A connection with an open transaction or an error is not used again.
      client.release(!isComplete);
    }
  });
}
