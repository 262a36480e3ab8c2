import { type Connection, openConnection } from './connection.ts';

export interface Target {
  readonly port: number;
  /** Requested one after the other, in rotation. A path with a body, after a line break, is a POST. */
  readonly paths: readonly string[];
  readonly connections: number;
}

/** Duration or number of requests of a run. */
export type Extent = { readonly ms: number } | { readonly requests: number };

/** IPC messages to the generator: open a session, which returns its id; run it; close it. */
export type LoadCommand =
  | { readonly open: Target }
  | { readonly run: number; readonly extent: Extent }
  | { readonly close: number };

/** Result of a run; times in milliseconds. */
export interface Load {
  readonly requests: number;
  readonly perSecond: number;
  /** Mean size of a response body. */
  readonly bytes: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  /** Responses with a status other than 2xx. */
  readonly failed: number;
  /** CPU seconds of this process, and elapsed seconds. */
  readonly cpu: number;
  readonly seconds: number;
  /** Latency of each request in order, for runs with a number of requests. */
  readonly times: readonly number[];
}

interface Session {
  readonly port: number;
  readonly requests: readonly Buffer[];
  /** Opened by the first run. */
  readonly connections: Connection[];
  readonly count: number;
  /** Where the last timed run ended. The next one continues there, so that short runs do not repeat the same requests. */
  position: number;
}

const times = new Float64Array(2_000_000);
const sessions = new Map<number, Session>();
let lastId = 0;

function open({ port, paths, connections }: Target): number {
  const session: Session = {
    port,
    requests: paths.map(requestOf),
    connections: [],
    count: connections,
    position: 0,
  };
  sessions.set(++lastId, session);
  return lastId;
}

function requestOf(target: string): Buffer {
  const [path, body] = target.split('\n');
  if (body === undefined) return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`);
  const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  return Buffer.from(`POST ${path} HTTP/1.1\r\nHost: bench\r\n${headers}\r\n\r\n${body}`);
}

/** Reopens connections that the server has closed as idle. */
async function connect({ port, connections, count }: Session): Promise<void> {
  for (let i = 0; i < count; i++) {
    if (!connections[i]?.isOpen) connections[i] = await openConnection(port);
  }
}

/** Keeps one request in flight on each connection. */
async function run(session: Session, extent: Extent): Promise<Load> {
  await connect(session);
  const { requests } = session;
  let sent = 'ms' in extent ? session.position : 0;
  let done = 0;
  let bytes = 0;
  let failed = 0;
  const last = 'requests' in extent ? extent.requests : Number.POSITIVE_INFINITY;
  let isOver = false;
  // Safe: the remainder is an index.
  const next = () => (isOver || sent === last ? null : (requests[sent++ % requests.length] as Buffer));
  const began = performance.now();
  const cpu = process.cpuUsage();
  if ('ms' in extent) {
    setTimeout(() => {
      isOver = true;
    }, extent.ms);
  }
  await Promise.all(
    session.connections.map((connection) =>
      connection.sendAll(next, (ms, length, isOk) => {
        times[done++ % times.length] = ms;
        bytes += length;
        if (!isOk) failed += 1;
      }),
    ),
  );
  const took = performance.now() - began;
  if ('ms' in extent) session.position = sent % requests.length;
  const { user, system } = process.cpuUsage(cpu);
  const taken = times.subarray(0, Math.min(done, times.length));
  const ordered = 'requests' in extent ? [...taken] : [];
  const sorted = taken.sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    requests: done,
    perSecond: (done / took) * 1000,
    bytes: bytes / done,
    p50: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    max: at(1),
    failed,
    cpu: (user + system) / 1e6,
    seconds: took / 1000,
    times: ordered,
  };
}

function find(id: number): Session {
  const session = sessions.get(id);
  if (session === undefined) throw new Error(`unknown session ${id}`);
  return session;
}

async function execute(command: LoadCommand): Promise<number | Load | null> {
  if ('open' in command) return open(command.open);
  if ('run' in command) return run(find(command.run), command.extent);
  for (const connection of find(command.close).connections) connection.close();
  sessions.delete(command.close);
  return null;
}

process.on('message', async (command: LoadCommand) => process.send?.(await execute(command)));
