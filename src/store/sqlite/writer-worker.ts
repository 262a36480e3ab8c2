import { parentPort, workerData } from 'node:worker_threads';
import type { WriterReply, WriterRequest } from './writer-thread.ts';
import { createSyncWriter, openWriterDatabase } from './writer.ts';

// The worker of `openWriterThread`. It handles requests in the order in which they were sent.
const port = parentPort;
if (port === null) throw new Error('this file must run as a worker thread');
// Safe: `openWriterThread` passes it.
const { path } = workerData as { path: string };
let writer: ReturnType<typeof createSyncWriter> | undefined;
port.on('message', (request: WriterRequest) => port.postMessage(handle(request)));

function handle({ id, method, args }: WriterRequest): WriterReply {
  try {
    if (method === 'close') {
      writer?.close();
      return { id, done: true };
    }
    // Opened by the first request, so that a failure is its reply: an uncaught error would lose its code.
    writer ??= createSyncWriter(openWriterDatabase(path));
    const { executor } = writer;
    // Safe in each case: the thread's method of this name was called with these arguments.
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
