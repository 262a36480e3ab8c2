import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

/** An EVM node of Foundry in a child process. */
interface AnvilProcess {
  readonly url: string;
  request<T>(method: string, params?: readonly unknown[]): Promise<T>;
}

interface AnvilSettings {
  readonly chainId: number;
  /** Blocks per epoch: the final block is two epochs behind the head. */
  readonly epoch: number;
}

const children = new Set<ChildProcess>();
/** Processes of this worker that no test uses, oldest first. */
const idle: { readonly key: string; readonly node: AnvilProcess; readonly child: ChildProcess }[] = [];
/** Limits the memory of a worker whose tests use many different settings. */
const MAX_IDLE = 6;

/** Takes a node with an empty chain from the pool of this worker, or starts one. Release it after use. */
export async function takeAnvilProcess(settings: AnvilSettings) {
  const key = JSON.stringify(settings);
  const index = idle.findIndex((entry) => entry.key === key);
  const { node, child } = idle.splice(index, index === -1 ? 0 : 1)[0] ?? (await start(settings));
  let isTaken = true;
  return {
    node,
    async release(): Promise<void> {
      if (!isTaken) return;
      isTaken = false;
      await node.request('anvil_reset');
      await node.request('anvil_setCoinbase', [`0x${'0'.repeat(40)}`]);
      await node.request('anvil_autoImpersonateAccount', [false]);
      idle.push({ key, node, child });
      if (idle.length > MAX_IDLE) idle.shift()?.child.kill();
    },
  };
}

async function start({ chainId, epoch }: AnvilSettings) {
  const flags = { 'chain-id': chainId, port: 0, 'slots-in-an-epoch': epoch, 'gas-limit': 1_000_000_000, order: 'fifo' };
  const options = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(findBinary(), [...options, '--no-mining', '--no-cors'], { stdio: ['ignore', 'pipe', 'inherit'] });
  stopWithThisProcess();
  children.add(child);
  child.once('exit', () => children.delete(child));
  const url = await readUrl(child);
  let nextId = 1;
  const request = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params });
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  return { node: { url, request }, child };
}

/** The binary itself: the launcher of the package starts another Node.js process for each node. */
function findBinary(): string {
  const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/bin.mjs');
  const name = `anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  return createRequire(launcher).resolve(`@foundry-rs/${name}/bin/anvil${process.platform === 'win32' ? '.exe' : ''}`);
}

async function readUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the anvil process has no stdout pipe');
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /Listening on [\d.]+:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    child.stdout.resume();
    // An idle node does not keep this process alive.
    child.unref();
    if ('unref' in child.stdout && typeof child.stdout.unref === 'function') child.stdout.unref();
    return `http://127.0.0.1:${port}`;
  }
  throw new Error('anvil did not start');
}

let isHandled = false;

/** Vitest ends its workers with SIGTERM, which emits no `exit` event. */
function stopWithThisProcess(): void {
  if (isHandled) return;
  isHandled = true;
  const killAll = () => {
    for (const child of children) child.kill();
  };
  process.once('exit', killAll);
  process.once('SIGTERM', () => {
    killAll();
    process.kill(process.pid, 'SIGTERM');
  });
}
