import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Extent, Load, LoadCommand } from './load-process.ts';

/** A server in a child process. */
export interface Server {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

type Env = Readonly<Record<string, string>>;

/** Starts a command of the built `kith` in a clone. Settings of the calling environment do not apply. */
function spawnKith(clone: string, args: readonly string[], env: Env, nodeFlags: readonly string[]): ChildProcess {
  // As in the first line of the command.
  const flags = ['--max-semi-space-size=8', ...nodeFlags];
  return spawn(process.execPath, [...flags, `${clone}bin/kith.js`, ...args], {
    // Not the clone, which may have a file .env.
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, PORT: '0', SHUTDOWN_DELAY_S: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

export async function startKith(clone: string, env: Env): Promise<Server> {
  const child = spawnKith(clone, ['serve'], env, []);
  let output = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const [, found] = /Server listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('exit', () => reject(new Error(`kith serve exited:\n${output}`)));
  });
  return serverOf(child, port);
}

/** What a process used in all. */
export interface Usage {
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

/** Runs a command until it ends. */
export async function runKith(clone: string, args: readonly string[], env: Env, maxHeapMb = 4096): Promise<Usage> {
  const report = fileURLToPath(new URL('./report-usage.js', import.meta.url));
  const child = spawnKith(clone, args, env, [`--max-old-space-size=${maxHeapMb}`, '--import', report]);
  let [output, usage]: [string, Usage | null] = ['', null];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  // Safe: report-usage.js sends it.
  child.on('message', (message) => {
    usage = message as Usage;
  });
  const [code, signal] = await once(child, 'close');
  if (code !== 0 || usage === null) throw new Error(`kith ${args.join(' ')} exited with ${code ?? signal}:\n${output}`);
  return usage;
}

/** Starts a server of the benchmark, which sends its port. */
export async function startServer(file: URL, args: readonly string[]): Promise<Server> {
  const child = fork(fileURLToPath(file), args);
  const [port] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [number];
  if (child.exitCode !== null) throw new Error(`${file.pathname} exited`);
  return serverOf(child, port);
}

/** A bare server whose responses have this many bytes. */
export function startBare(bytes: number): Promise<Server> {
  return startServer(new URL('./bare-process.ts', import.meta.url), [String(Math.round(bytes))]);
}

function serverOf(child: ChildProcess, port: number): Server {
  return { port, pid: child.pid ?? 0, stop: () => terminate(child) };
}

async function terminate(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** A child process that sends requests. */
export interface LoadGenerator {
  /** Opens connections to a server, which stay open. */
  open(server: Pick<Server, 'port'>, connections: number): Promise<LoadSession>;
  stop(): Promise<void>;
}

interface LoadSession {
  /** Prepares requests, which are sent in rotation, and returns a function that does. It rejects if a response is an error. */
  prepare(paths: readonly string[]): Promise<(extent: Extent) => Promise<Load>>;
  close(): Promise<void>;
}

export function startLoadGenerator(): LoadGenerator {
  const child = fork(fileURLToPath(new URL('./load-process.ts', import.meta.url)));
  /** One command at a time. */
  const send = <R>(command: LoadCommand) =>
    new Promise<R>((resolve, reject) => {
      const fail = () => reject(new Error('the load generator exited'));
      child.once('exit', fail);
      child.once('message', (result) => {
        child.off('exit', fail);
        // Safe: load-process.ts answers each kind of command so.
        resolve(result as R);
      });
      child.send(command);
    });
  return {
    async open({ port }, connections) {
      const session = await send<number>({ open: port, connections });
      return {
        async prepare(paths) {
          const list = await send<number>({ session, prepare: paths });
          return async (extent) => {
            const result = await send<Load>({ session, run: list, extent });
            if (result.failed === 0) return result;
            throw new Error(`${result.failed} of ${result.requests} responses were errors, first path ${paths[0]}`);
          };
        },
        close: () => send({ session, close: true }),
      };
    },
    stop: () => terminate(child),
  };
}
