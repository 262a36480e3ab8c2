import net from 'node:net';

/** IPC messages to the readers: open streams; tell when blocks were committed, which returns the deliveries since the last time. */
export type ReadersCommand =
  | { readonly open: number; readonly port: number; readonly path: string }
  | { readonly committed: readonly (readonly [block: number, at: number])[] };

/** Milliseconds from the commit of a block to each client. */
export interface Deliveries {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** The same clock in all processes of the machine. */
const now = () => performance.timeOrigin + performance.now();

const received: [block: number, at: number][] = [];
let open = 0;

function connect(port: number, path: string): void {
  const socket = net.connect(port, '127.0.0.1');
  let isOpen = false;
  socket.setEncoding('latin1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n`);
  socket.on('data', (text: string) => {
    const at = now();
    if (!isOpen && text.includes(': sent 0')) {
      isOpen = true;
      open += 1;
    }
    for (const [, block] of text.matchAll(/"block":(\d+),/g)) received.push([Number(block), at]);
  });
  socket.on('error', (error) => {
    throw error;
  });
}

process.on('message', async (command: ReadersCommand) => {
  if ('open' in command) {
    const target = open + command.open;
    // In steps that the queue of new connections holds.
    for (let i = 0; i < command.open; i++) {
      connect(command.port, command.path);
      if (i % 100 === 99) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    while (open < target) await new Promise((resolve) => setTimeout(resolve, 50));
    process.send?.({ open });
    return;
  }
  const commits = new Map(command.committed);
  const taken = received.splice(0);
  const late = taken.flatMap(([block, at]) => {
    const committed = commits.get(block);
    return committed === undefined ? [] : [Math.max(0, at - committed)];
  });
  late.sort((a, b) => a - b);
  const at = (share: number) => late[Math.min(late.length - 1, Math.floor(late.length * share))] ?? Number.NaN;
  process.send?.({ count: late.length, p50: at(0.5), p99: at(0.99), max: at(1) } satisfies Deliveries);
});

process.on('disconnect', () => process.exit());
