import cluster from 'node:cluster';
import { on, once } from 'node:events';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { createSingleFlight } from '../async/single-flight.ts';
import { CommandError } from '../errors/operator-error.ts';
import { type Context, isSigterm } from './command.ts';
import { withConnectionLimit } from './listen.ts';
import { MAIN, SUPERVISED, supervise } from './supervise.ts';

/** Whether this process is a cluster worker. */
export const isWorker = cluster.isWorker;

/** Serves in WORKERS cluster workers that share the port, until the context's signal aborts. */
export async function serveInWorkers(
  { config, logger, signal }: Context,
  onListening: (url: string) => Promise<void>,
): Promise<void> {
  withConnectionLimit(config, logger);
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
      onExit(exit) {
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

/** IPC message: a worker requests the metrics of all workers, the primary process replies. */
interface Message {
  readonly type: 'kith:metrics';
  readonly text?: string;
  readonly error?: string;
}

function isMessage(message: unknown): message is Message {
  return (message as Partial<Message> | null)?.type === 'kith:metrics';
}

/** In the primary process: aggregates the metrics of all workers when one of them requests it. */
function serveClusterMetrics(): void {
  const aggregator = new AggregatorRegistry();
  cluster.on('message', (worker, message: unknown) => {
    if (!isMessage(message)) return;
    const reply = (content: Omit<Message, 'type'>) =>
      worker.isConnected() && worker.send({ type: message.type, ...content });
    aggregator.clusterMetrics().then(
      (text) => reply({ text }),
      (error: Error) => reply({ error: error.message }),
    );
  });
}

/** In a worker: contributes `registry` to the aggregate, and returns a function that requests the aggregate. */
export function createClusterCollect(registry: Registry): () => Promise<string> {
  // Installs the listener that sends the metrics of this worker to the primary process.
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries([registry]);
  const inFlight = createSingleFlight<string>();
  // A worker that hangs, or that is starting, does not reply.
  const ofThisProcess = () => registry.metrics();
  return () => inFlight.run('', () => requestMetrics().catch(ofThisProcess));
}

const MAX_REPLY_MS = 2_000;

async function requestMetrics(): Promise<string> {
  // The signal removes the listener as well.
  const messages = on(process, 'message', { signal: AbortSignal.timeout(MAX_REPLY_MS) });
  process.send?.({ type: 'kith:metrics' } satisfies Message);
  for await (const [message] of messages) {
    if (!isMessage(message)) continue;
    if (message.text !== undefined) return message.text;
    throw new Error(message.error);
  }
  throw new Error('the primary process does not reply');
}
