import { type Connection, openConnection } from './connection.ts';

/** Where requests go to, and what they ask for. */
export interface Target {
  readonly port: number;
  /** Asked for one after the other, round and round. */
  readonly paths: readonly string[];
  readonly connections: number;
}

/** How long, or how many requests. */
export type Extent = { readonly ms: number } | { readonly requests: number };

/** What the generator is told: to take aim, which it answers with a number; to ask; to have done with it. */
export type Order =
  | { readonly aim: Target }
  | { readonly at: number; readonly for: Extent }
  | { readonly leave: number };

/** How a run went; times in milliseconds. */
export interface Load {
  readonly requests: number;
  readonly perSecond: number;
  /** Mean size of an answer's body. */
  readonly bytes: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  /** Answers whose status did not begin with 2. */
  readonly failed: number;
  /** CPU seconds that this process took, and seconds that went by. */
  readonly cpu: number;
  readonly seconds: number;
  /** Of each request in turn as it was answered, where they were counted out. */
  readonly times: readonly number[];
}

interface Aim {
  readonly port: number;
  readonly requests: readonly Buffer[];
  /** As many as there are to be, once they are asked for. */
  readonly connections: Connection[];
  readonly count: number;
  /** Where the last run of some time ended. The next goes on there: short ones would else ask for the same few again. */
  wentTo: number;
}

const times = new Float64Array(2_000_000);
const aims = new Map<number, Aim>();
let aimsTaken = 0;

function takeAim({ port, paths, connections }: Target): number {
  const aim: Aim = {
    port,
    requests: paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`)),
    connections: [],
    count: connections,
    wentTo: 0,
  };
  aims.set(++aimsTaken, aim);
  return aimsTaken;
}

/** Servers close what is idle for some seconds. */
async function connect({ port, connections, count }: Aim): Promise<void> {
  for (let i = 0; i < count; i++) {
    if (!connections[i]?.isOpen) connections[i] = await openConnection(port);
  }
}

/** Keeps all connections busy with one request each. */
async function ask(aim: Aim, extent: Extent): Promise<Load> {
  await connect(aim);
  const { requests } = aim;
  let asked = 'ms' in extent ? aim.wentTo : 0;
  let done = 0;
  let bytes = 0;
  let failed = 0;
  const last = 'requests' in extent ? extent.requests : Number.POSITIVE_INFINITY;
  let isOver = false;
  // Safe: the remainder is an index.
  const next = () => (isOver || asked === last ? null : (requests[asked++ % requests.length] as Buffer));
  const began = performance.now();
  const cpu = process.cpuUsage();
  if ('ms' in extent) {
    setTimeout(() => {
      isOver = true;
    }, extent.ms);
  }
  await Promise.all(
    aim.connections.map((connection) =>
      connection.ask(next, (ms, length, isOk) => {
        times[done++ % times.length] = ms;
        bytes += length;
        if (!isOk) failed += 1;
      }),
    ),
  );
  const took = performance.now() - began;
  if ('ms' in extent) aim.wentTo = asked % requests.length;
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

function find(number: number): Aim {
  const aim = aims.get(number);
  if (aim === undefined) throw new Error(`there is no aim ${number}`);
  return aim;
}

async function obey(order: Order): Promise<number | Load | null> {
  if ('aim' in order) return takeAim(order.aim);
  if ('at' in order) return ask(find(order.at), order.for);
  for (const connection of find(order.leave).connections) connection.close();
  aims.delete(order.leave);
  return null;
}

process.on('message', async (order: Order) => process.send?.(await obey(order)));
