import { parentPort, workerData } from 'node:worker_threads';
import type { Reply, Request, RowsReply } from './sqlite-thread.ts';
import { createWriterHere, openWriterDatabase, type SqliteWriter } from './sqlite-writer.ts';

// The thread's end of `openWriterThread`: requests are carried out one after the other, as they come.
const port = parentPort;
if (port === null) throw new Error('this file runs as a thread of the store');
// Safe: `openWriterThread` starts the thread with it.
const { path } = workerData as { path: string };
let writer: SqliteWriter | undefined;
let last: Promise<void> = Promise.resolve();
port.on('message', (request: Request) => {
  last = last.then(async () => port.postMessage(await answer(request)));
});

async function answer({ id, method, args }: Request): Promise<Reply> {
  try {
    if (method === 'close') {
      await writer?.close();
      return { id, done: true };
    }
    // Opened by the first request, which then hears of a failure; an error of the thread itself would lose its text.
    writer ??= createWriterHere(openWriterDatabase(path));
    const { executor } = writer;
    // Safe in each case: the arguments are those that the caller's method of this name was given.
    switch (method) {
      case 'run':
        return { id, rows: toArrays(await executor.run(...(args as Parameters<typeof executor.run>))) };
      case 'select':
        return { id, rows: toArrays(await executor.select(...(args as Parameters<typeof executor.select>))) };
      case 'insertNew':
        return { id, positions: await executor.insertNew(...(args as Parameters<typeof executor.insertNew>)) };
      case 'checkpoint':
        await writer.checkpoint();
        return { id, done: true };
      case 'write':
        await executor.write(...(args as Parameters<typeof executor.write>));
        return { id, done: true };
    }
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown };
    return { id, error: { message, code } };
  }
}

function toArrays(rows: readonly object[]): RowsReply {
  return { names: Object.keys(rows[0] ?? {}), rows: rows.map(Object.values) };
}
