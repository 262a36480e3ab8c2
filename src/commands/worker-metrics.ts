import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { createSingleFlight } from '../async/single-flight.ts';

/** Between a serving process that is asked for the metrics of all and the process that can ask all. */
interface Message {
  readonly type: 'kith:metrics';
  readonly text?: string;
  readonly error?: string;
}

function isMessage(message: unknown): message is Message {
  return (message as Partial<Message> | null)?.type === 'kith:metrics';
}

/** In the process that has started the others: has them tell their metrics when one of them is asked. */
export function answerMetrics(): void {
  const all = new AggregatorRegistry();
  cluster.on('message', (worker, message: unknown) => {
    if (!isMessage(message)) return;
    const tell = (answer: Omit<Message, 'type'>) =>
      worker.isConnected() && worker.send({ type: message.type, ...answer });
    all.clusterMetrics().then(
      (text) => tell({ text }),
      (error: Error) => tell({ error: error.message }),
    );
  });
}

/** In a serving process: tells its own metrics when it is asked, and asks for those of all. */
export function collectFromAll(registry: Registry): () => Promise<string> {
  // Listens for the question.
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries([registry]);
  const flights = createSingleFlight<string>();
  return () => flights.run('', ask);
}

function ask(): Promise<string> {
  return new Promise((resolve, reject) => {
    const hear = (message: unknown) => {
      if (!isMessage(message)) return;
      process.off('message', hear);
      if (message.text !== undefined) resolve(message.text);
      else reject(new Error(message.error));
    };
    process.on('message', hear);
    process.send?.({ type: 'kith:metrics' } satisfies Message);
  });
}
