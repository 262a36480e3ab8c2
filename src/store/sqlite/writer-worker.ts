import { workerData } from 'node:worker_threads';
import { answerCalls } from '../../async/worker-calls.ts';
import { createWriterMethods, openWriterDatabase } from './writer.ts';

// The worker of `openWriterThread`. Safe: that function passes the path.
const { path } = workerData as { path: string };

answerCalls(() => createWriterMethods(openWriterDatabase(path)));
