import { type Connection, openConnection } from './connection.ts';

/** Duration or number of requests of a run. */
export type Extent = { readonly ms: number } | { readonly requests: number };

/** IPC messages to the generator: open a session, which returns its id; prepare requests, which returns their id; run them; close. */
export type LoadCommand =
  | { readonly open: number; readonly connections: number }
  | { readonly session: number; readonly prepare: readonly string[] }
  | { readonly session: number; readonly run: number; readonly extent: Extent }
  | { readonly session: number; readonly close: true };

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
  /** Opened by the first run. */
  readonly connections: Connection[];
  readonly count: number;
  readonly lists: RequestList[];
}

interface RequestList {
  readonly requests: readonly Buffer[];
  /** Where the last run ended. The next one continues there, so that short runs do not repeat the same requests. */
  position: number;
}

const times = new Float64Array(2_000_000);
const sessions = new Map<number, Session>();
let lastId = 0;

function open(port: number, count: number): number {
  sessions.set(++lastId, { port, connections: [], count, lists: [] });
  return lastId;
}

/** A path with a body, after a line break, is a POST. */
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
async function run(session: Session, list: RequestList, extent: Extent): Promise<Load> {
  await connect(session);
  const { requests } = list;
  let sent = list.position;
  let done = 0;
  let bytes = 0;
  let failed = 0;
  const last = 'requests' in extent ? sent + extent.requests : Number.POSITIVE_INFINITY;
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
  list.position = sent % requests.length;
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

function find<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('an unknown session or list of requests');
  return found;
}

async function execute(command: LoadCommand): Promise<number | Load | null> {
  if ('open' in command) return open(command.open, command.connections);
  const session = find(sessions.get(command.session));
  if ('prepare' in command) return session.lists.push({ requests: command.prepare.map(requestOf), position: 0 }) - 1;
  if ('run' in command) return run(session, find(session.lists[command.run]), command.extent);
  for (const connection of session.connections) connection.close();
  sessions.delete(command.session);
  return null;
}

process.on('message', async (command: LoadCommand) => process.send?.(await execute(command)));
