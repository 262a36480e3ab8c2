import { workerData } from 'node:worker_threads';
import { answerCalls } from '../../async/worker-calls.ts';
import { createSyncWriter, openWriterDatabase } from './writer.ts';
import type { WriterMethods } from './writer-thread.ts';

// The worker of `openWriterThread`. Safe: that function passes the path.
const { path } = workerData as { path: string };

let opened: ReturnType<typeof createSyncWriter> | undefined;
/** Opened by the first call, so that a failure is its reply: an uncaught error would lose its code. */
const writer = () => {
  opened ??= createSyncWriter(openWriterDatabase(path));
  return opened;
};

answerCalls<WriterMethods>({
  run: (...args) => writer().executor.run(...args),
  select: (...args) => writer().executor.select(...args),
  write: (...args) => writer().executor.write(...args),
  insertNew: (...args) => writer().executor.insertNew(...args),
  checkpoint: () => writer().checkpoint(),
  close: () => opened?.close(),
});
