import type { Database } from 'better-sqlite3';
import { turnOfOwn } from '../../async/turn-of-own.ts';
import { createReader, createStreamReader } from '../create-reader.ts';
import { sqliteDialect } from '../dialect.ts';
import type { Reader, StreamReader } from '../store.ts';
import type { DatabaseFile } from './database-file.ts';
import { columnNames, toObjects } from './executor.ts';
import type { ReaderThread } from './reader-thread.ts';

/** Reads on `db`, a connection that never writes. */
export function createSqliteReader(db: Database, file: DatabaseFile): Reader {
  return createReader(sqliteDialect, ({ text, bind }) => {
    const statement = file.read(() => db.prepare<unknown[], unknown[]>(text).raw());
    const names = columnNames(statement);
    return async (params) => toObjects({ names, rows: file.read(() => statement.all(...bind(params))) });
  });
}

/** Reads in a thread. */
export function createThreadReader(thread: ReaderThread): Reader {
  return createReader(sqliteDialect, ({ text, bind }) => {
    return async (params) => {
      const found = await thread.call('read', text, bind(params));
      // Answers are built one per turn of the event loop, even if several results have arrived.
      await turnOfOwn();
      return toObjects(found);
    };
  });
}

export function createThreadStreamReader(thread: ReaderThread): StreamReader {
  let opened = 0;
  return createStreamReader(sqliteDialect, async function* ({ text, bind }, params) {
    const id = ++opened;
    let isOpen = true;
    try {
      let chunk = await thread.call('open', id, text, bind(params));
      for (;;) {
        isOpen = !chunk.isLast;
        if (chunk.rows.length > 0) yield toObjects(chunk);
        if (chunk.isLast) return;
        chunk = await thread.call('take', id);
      }
    } finally {
      // If this fails, so has the query, or its thread has ended.
      if (isOpen) await thread.call('close', id).catch(() => undefined);
    }
  });
}
