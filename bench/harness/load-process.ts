import { connect } from 'node:net';

/** What the generator is told to do. */
export interface Job {
  readonly ports: readonly number[];
  /** Asked for one after the other, round and round. */
  readonly paths: readonly string[];
  readonly connections: number;
  /** How long, or how many requests. */
  readonly for: { readonly ms: number } | { readonly requests: number };
}

/** How that went; times in milliseconds. */
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

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = 'content-length: ';
const MAX_SAMPLES = 2_000_000;

/** Where the last run of some time ended. The next goes on there: short ones would else ask for the same few again. */
let wentTo = 0;

/** Keeps connections busy with one request each, on bare sockets: a client that costs more than the server measures itself. */
async function generate({ ports, paths, connections, for: extent }: Job): Promise<Load> {
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`));
  const times = new Float64Array(MAX_SAMPLES);
  let asked = 'ms' in extent ? wentTo : 0;
  let done = 0;
  let bytes = 0;
  let failed = 0;
  const last = 'requests' in extent ? extent.requests : Number.POSITIVE_INFINITY;
  let isOver = false;

  const keepBusy = (port: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true);
      let began = 0;
      let expected = -1;
      let received = 0;
      let head: Buffer | null = null;
      const ask = () => {
        if (isOver || asked === last) {
          socket.destroy();
          resolve();
          return;
        }
        expected = -1;
        received = 0;
        head = null;
        began = performance.now();
        // Safe: the remainder is an index.
        socket.write(requests[asked++ % requests.length] as Buffer);
      };
      socket.on('connect', ask).on('error', reject);
      socket.on('data', (data) => {
        let chunk = data as Buffer;
        if (expected === -1) {
          if (head !== null) chunk = Buffer.concat([head, chunk]);
          const end = chunk.indexOf(HEAD_END);
          if (end === -1) {
            head = chunk;
            return;
          }
          const text = chunk.toString('latin1', 0, end).toLowerCase();
          if (text.charAt('http/1.1 '.length) !== '2') failed += 1;
          const length = Number.parseInt(text.slice(text.indexOf(LENGTH) + LENGTH.length), 10);
          bytes += length;
          expected = end + HEAD_END.length + length;
        }
        received += chunk.length;
        if (received < expected) return;
        times[done++ % MAX_SAMPLES] = performance.now() - began;
        ask();
      });
    });

  const began = performance.now();
  const cpu = process.cpuUsage();
  if ('ms' in extent) {
    setTimeout(() => {
      isOver = true;
    }, extent.ms);
  }
  await Promise.all(Array.from({ length: connections }, (_, i) => keepBusy(ports[i % ports.length] ?? 0)));
  const took = performance.now() - began;
  if ('ms' in extent) wentTo = asked;
  const { user, system } = process.cpuUsage(cpu);
  const ordered = 'requests' in extent ? [...times.subarray(0, done)] : [];
  const sorted = times.subarray(0, Math.min(done, MAX_SAMPLES)).sort();
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

process.on('message', async (job: Job) => process.send?.(await generate(job)));
