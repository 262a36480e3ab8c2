import cluster from 'node:cluster';
import { on, once } from 'node:events';
import { CommandError } from '../errors/operator-error.ts';
import { type Context, isSigterm } from './command.ts';
import { type ChildExit, MAIN, supervise } from './supervise.ts';
import { SUPERVISED } from './supervised.ts';
import { serveClusterMetrics } from './worker-metrics.ts';

/** Whether this process is a cluster worker. */
export const isWorker = cluster.isWorker;

/** Serves in WORKERS cluster workers that share the port, until the context's signal aborts. */
export async function serveInWorkers(
  { config, logger, signal }: Context,
  onListening: (url: string) => Promise<void>,
): Promise<void> {
  cluster.setupPrimary({ exec: MAIN, args: ['serve', SUPERVISED] });
  serveClusterMetrics();
  const failed = new AbortController();
  let isListening = false;
  const workers = Array.from({ length: config.workers }, () =>
    supervise({
      start() {
        const worker = cluster.fork();
        // An IPC message to a worker that has just died; its exit is handled by `supervise`.
        worker.on('error', (err) => logger.debug({ err }, 'worker: IPC error'));
        return worker.process;
      },
      exitMessage: 'worker exited, restarting it',
      logger,
      stopDelayMs: config.shutdownDelayMs,
      onExit(exit: ChildExit) {
        // A worker that exits before any has listened has a fault that all share, like a port in use.
        if (!isListening) failed.abort(new CommandError(exit.error ?? 'E_WORKERS', exit.reason));
        return isListening;
      },
    }),
  );
  const stopping = AbortSignal.any([signal, failed.signal]);
  try {
    const port = await listeningPort(config.operationsPort, stopping);
    isListening = true;
    await onListening(`http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`);
    if (!stopping.aborted) await once(stopping, 'abort');
  } catch (error) {
    if (!stopping.aborted) throw error;
  } finally {
    // Workers wait for load balancers on SIGTERM only.
    const forwarded = isSigterm(stopping) ? 'SIGTERM' : 'SIGINT';
    await Promise.all(workers.map((worker) => worker.stop(forwarded)));
  }
  if (failed.signal.aborted && !signal.aborted) throw failed.signal.reason;
}

/** Waits until a worker listens on the port for lookups. */
async function listeningPort(operationsPort: number | null, signal: AbortSignal): Promise<number> {
  for await (const [, { port }] of on(cluster, 'listening', { signal })) if (port !== operationsPort) return port;
  throw new Error('no worker listens');
}
