import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { withDeadline } from '../async/deadline.ts';
import { createSingleFlight } from '../async/single-flight.ts';

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
export function serveClusterMetrics(): void {
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
  return () => inFlight.run('', () => withDeadline(requestMetrics(), MAX_REPLY_MS, noReply).catch(ofThisProcess));
}

const MAX_REPLY_MS = 2_000;
const noReply = () => new Error('a worker does not reply');

function requestMetrics(): Promise<string> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      if (!isMessage(message)) return;
      process.off('message', onMessage);
      if (message.text !== undefined) resolve(message.text);
      else reject(new Error(message.error));
    };
    process.on('message', onMessage);
    process.send?.({ type: 'kith:metrics' } satisfies Message);
  });
}
