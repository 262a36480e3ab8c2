import { sleep } from './numbers.ts';
import { childrenOf, residentMegabytes } from './process-samples.ts';
import { request } from './request.ts';

export type WatchMessage =
  | { readonly kind: 'start'; readonly ports: readonly number[] }
  | { readonly kind: 'add'; readonly pid: number }
  | { readonly kind: 'stop' };

/** What `stop` returns. */
export interface Watched {
  /** The longest time of an answer of /health, or without one. */
  readonly healthMs: number;
  /** Of all processes together, at most. */
  readonly grownMegabytes: number;
}

const EVERY_MS = 100;
const TIMEOUT_MS = 60_000;

const sent = new Set<number>();
const before = new Map<number, number>();
let healthMs = 0;
let grownMegabytes = 0;

const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)];
const memoryOf = (pid: number) =>
  treeOf(pid)
    .map(residentMegabytes)
    .reduce((sum, megabytes) => sum + (Number.isNaN(megabytes) ? 0 : megabytes), 0);

async function probe(port: number): Promise<void> {
  const at = performance.now();
  sent.add(at);
  const { status } = await request(port, '/health', { timeoutMs: TIMEOUT_MS });
  // A process that has exited refuses at once.
  healthMs = Math.max(healthMs, status === 200 ? performance.now() - at : TIMEOUT_MS);
  sent.delete(at);
}

async function run(ports: readonly number[]): Promise<never> {
  for (;;) {
    for (const port of ports) void probe(port);
    const grown = [...before].reduce((sum, [pid, megabytes]) => sum + memoryOf(pid) - megabytes, 0);
    grownMegabytes = Math.max(grownMegabytes, grown);
    await sleep(EVERY_MS);
  }
}

process.on('message', (message: WatchMessage) => {
  switch (message.kind) {
    case 'start':
      void run(message.ports);
      break;
    case 'add':
      before.set(message.pid, memoryOf(message.pid));
      process.send?.({ kind: 'added' });
      break;
    case 'stop': {
      const waits = [...sent].map((at) => performance.now() - at);
      process.send?.({ healthMs: Math.max(healthMs, ...waits), grownMegabytes } satisfies Watched);
      break;
    }
    default:
      message satisfies never;
  }
});
