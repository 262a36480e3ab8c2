import cluster from 'node:cluster';
import { once } from 'node:events';
import { OperatorError } from '../protocol/operator-error.ts';
import type { Context } from './command.ts';
import { MAIN } from './main-file.ts';
import { supervise } from './supervise.ts';
import { answerMetrics } from './worker-metrics.ts';

/** Whether this process is one of several that share a port. */
export const isWorker = cluster.isWorker;

/** Serves in several processes that share the port, until the context's signal. */
export async function serveInWorkers(
  { config, logger, signal }: Context,
  onListening: (url: string) => Promise<void>,
): Promise<void> {
  cluster.setupPrimary({ exec: MAIN, args: ['serve'] });
  answerMetrics();
  const failed = new AbortController();
  let isListening = false;
  const workers = Array.from({ length: config.workers }, () =>
    supervise({
      start() {
        const worker = cluster.fork();
        // What is sent to one that has just died; that it has is heard of below.
        worker.on('error', (err) => logger.debug({ err }, 'a serving process cannot be reached'));
        const child = worker.process;
        child.once('exit', () => {
          // What keeps the first from listening, a port that is taken for instance, keeps all of them.
          if (!isListening) failed.abort();
        });
        return child;
      },
      ended: 'a serving process ended; the others go on',
      logger,
    }),
  );
  const ending = AbortSignal.any([signal, failed.signal]);
  try {
    const [, { port }] = (await once(cluster, 'listening', { signal: ending })) as [unknown, { port: number }];
    isListening = true;
    await onListening(`http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`);
    if (!ending.aborted) await once(ending, 'abort');
  } catch (error) {
    if (!ending.aborted) throw error;
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  if (failed.signal.aborted && !signal.aborted) throw new WorkerError('the serving processes could not start');
}

/** What went wrong has been said by the process that it went wrong in. */
class WorkerError extends OperatorError {
  override name = 'WorkerError';
  readonly code = 'E_WORKERS';
}
