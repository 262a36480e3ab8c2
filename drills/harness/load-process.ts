import { type Connection, openConnection } from '../../bench/harness/connection.ts';
import { percentile } from './numbers.ts';

/** A job of the load generator. */
export interface LoadJob {
  readonly port: number;
  readonly paths: readonly string[];
  /** With a body, the requests are POSTs. */
  readonly body?: string;
  readonly ms: number;
  /** The most connections; each has one request in flight. */
  readonly connections: number;
  /** Arrivals per second, independent of the answers (open loop). Without it, each connection sends one after the other. */
  readonly perSecond?: number;
}

export interface LoadResult {
  readonly sent: number;
  /** Arrivals that found all connections busy. */
  readonly unsent: number;
  /** Answers with status 2xx. */
  readonly served: number;
  /** Answers with another status. */
  readonly refused: number;
  /** Failed connections and requests without an answer. */
  readonly failed: number;
  readonly seconds: number;
  /** Of the served requests, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** How often arrivals are sent; several at once if the rate is higher. */
const TICK_MS = 4;

async function run({ port, paths, body, ms, connections, perSecond }: LoadJob): Promise<LoadResult> {
  const method = body === undefined ? 'GET' : 'POST';
  const ofBody = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body ?? '')}\r\n`;
  const rest = body === undefined ? '\r\n' : `${ofBody}\r\n${body}`;
  const requests = paths.map((path) => Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: drill\r\n${rest}`));
  const times: number[] = [];
  const counts = { sent: 0, unsent: 0, served: 0, refused: 0, failed: 0 };
  const idle: Connection[] = [];
  const all = new Set<Connection>();
  let busy = 0;
  let isOver = false;

  const take = async () => {
    for (let found = idle.pop(); found !== undefined; found = idle.pop()) {
      if (found.isOpen) return found;
      all.delete(found);
    }
    const opened = await openConnection(port);
    all.add(opened);
    return opened;
  };
  const send = async () => {
    busy += 1;
    // Safe: the remainder is an index.
    let next: Buffer | null = requests[counts.sent++ % requests.length] as Buffer;
    try {
      const connection = await take();
      await connection.sendAll(
        () => {
          const current = next;
          next = null;
          return current;
        },
        (took, _bytes, isOk) => {
          // Refusals have `Connection: close`.
          if (!isOk) connection.close();
          if (isOver) return;
          counts[isOk ? 'served' : 'refused'] += 1;
          if (isOk) times.push(took);
        },
      );
      if (connection.isOpen) idle.push(connection);
      else all.delete(connection);
    } catch {
      if (!isOver) counts.failed += 1;
    }
    busy -= 1;
  };

  const began = performance.now();
  if (perSecond === undefined) {
    const repeat = async () => {
      while (!isOver) await send();
    };
    for (let i = 0; i < connections; i++) void repeat();
    await new Promise((resolve) => setTimeout(resolve, ms));
  } else {
    let arrived = 0;
    while (performance.now() - began < ms) {
      const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
      for (; arrived < due; arrived++) {
        if (busy < connections) void send();
        else counts.unsent += 1;
      }
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
  }
  isOver = true;
  const seconds = (performance.now() - began) / 1000;
  for (const connection of all) connection.close();
  return { ...counts, seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

process.on('message', async (job: LoadJob) => process.send?.(await run(job)));
