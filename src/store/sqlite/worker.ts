import { parentPort, workerData } from 'node:worker_threads';
import type { Reply, Request } from './thread.ts';
import { createDirectWriter, openWriterDatabase } from './writer.ts';

// The thread's end of `openWriterThread`: requests are carried out one after the other, as they come.
const port = parentPort;
if (port === null) throw new Error('this file runs as a thread of the store');
// Safe: `openWriterThread` starts the thread with it.
const { path } = workerData as { path: string };
let writer: ReturnType<typeof createDirectWriter> | undefined;
port.on('message', (request: Request) => port.postMessage(answer(request)));

function answer({ id, method, args }: Request): Reply {
  try {
    if (method === 'close') {
      writer?.close();
      return { id, done: true };
    }
    // Opened by the first request, which then hears of a failure; an error of the thread itself would lose its text.
    writer ??= createDirectWriter(openWriterDatabase(path));
    const { executor } = writer;
    // Safe in each case: the arguments are those that the caller's method of this name was given.
    switch (method) {
      case 'run':
        return { id, found: executor.run(...(args as Parameters<typeof executor.run>)) };
      case 'select':
        return { id, found: executor.select(...(args as Parameters<typeof executor.select>)) };
      case 'insertNew':
        return { id, positions: executor.insertNew(...(args as Parameters<typeof executor.insertNew>)) };
      case 'checkpoint':
        writer.checkpoint();
        return { id, done: true };
      case 'write':
        executor.write(...(args as Parameters<typeof executor.write>));
        return { id, done: true };
    }
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown };
    return { id, error: { message, code } };
  }
}
