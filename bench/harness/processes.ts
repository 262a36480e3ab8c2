import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { inClone } from '../paths.ts';
import type { Extent, Load, LoadCommand, Target } from './load-process.ts';

/** A server in a child process. */
export interface Server {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

export const KITH = inClone('bin/kith.js');
/** The flags of Node.js that the first line of the command sets. */
const [, NODE_FLAGS = ''] = /^#!.* node (.*)\n/.exec(readFileSync(KITH, 'utf8')) ?? [];

export async function startKith(
  env: Readonly<Record<string, string>>,
  nodeFlags: readonly string[] = [],
): Promise<Server> {
  const child = spawn(process.execPath, [...NODE_FLAGS.split(' ').filter(Boolean), ...nodeFlags, KITH, 'serve'], {
    // Not the clone, which may have a file .env.
    cwd: tmpdir(),
    env: { ...process.env, PORT: '0', SHUTDOWN_DELAY_S: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
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

/** A bare server whose responses have this many bytes. */
export async function startBare(bytes: number): Promise<Server> {
  const child = fork(fileURLToPath(new URL('./bare-process.js', import.meta.url)), [String(bytes)]);
  const [port] = (await once(child, 'message')) as [number];
  return serverOf(child, port);
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

/** A child process that runs one job at a time. */
export interface Helper<J, R> {
  run(job: J): Promise<R>;
  stop(): Promise<void>;
}

export function startHelper<J extends object, R>(file: URL, args: readonly string[] = []): Helper<J, R> {
  const child = fork(fileURLToPath(file), args);
  return {
    run: (job) =>
      new Promise<R>((resolve, reject) => {
        const fail = () => reject(new Error(`${file.pathname} exited`));
        child.once('exit', fail);
        child.once('message', (result) => {
          child.off('exit', fail);
          // Safe: the process of this file sends such results.
          resolve(result as R);
        });
        child.send(job);
      }),
    stop: () => terminate(child),
  };
}

/** A child process that sends requests. */
export interface LoadGenerator {
  open(target: Target): Promise<LoadSession>;
  stop(): Promise<void>;
}

/** Load on one target; connections stay open between runs. */
export interface LoadSession {
  /** Rejects if any response is an error. */
  run(extent: Extent): Promise<Load>;
  close(): Promise<void>;
}

export function startLoadGenerator(): LoadGenerator {
  const helper = startHelper<LoadCommand, unknown>(new URL('./load-process.js', import.meta.url));
  return {
    async open(target) {
      // Safe, as below: the load process sends such results.
      const id = (await helper.run({ open: target })) as number;
      return {
        async run(extent) {
          const result = (await helper.run({ run: id, extent })) as Load;
          if (result.failed === 0) return result;
          throw new Error(
            `${result.failed} of ${result.requests} responses were errors, first path ${target.paths[0]}`,
          );
        },
        close: async () => void (await helper.run({ close: id })),
      };
    },
    stop: helper.stop,
  };
}
