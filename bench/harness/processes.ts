import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inClone } from '../paths.ts';
import type { Extent, Load, Order, Target } from './load-process.ts';

/** A server in a process of its own. */
export interface Server {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

export const KITH = inClone('bin/kith.js');

/** `kith serve`, as operators run it. */
export async function startKith(
  env: Readonly<Record<string, string>>,
  nodeFlags: readonly string[] = [],
): Promise<Server> {
  const child = spawn(process.execPath, [...nodeFlags, KITH, 'serve'], {
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, found] = /Server listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('exit', () => reject(new Error(`kith serve ended:\n${said}`)));
  });
  return serverOf(child, port);
}

/** A server that answers as many bytes each time. */
export async function startBare(bytes: number): Promise<Server> {
  const child = fork(fileURLToPath(new URL('./bare-process.js', import.meta.url)), [String(bytes)]);
  const [port] = (await once(child, 'message')) as [number];
  return serverOf(child, port);
}

function serverOf(child: ChildProcess, port: number): Server {
  return { port, pid: child.pid ?? 0, stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** A process that does a job at a time and tells what came of it. */
export interface Helper<J, R> {
  run(job: J): Promise<R>;
  stop(): Promise<void>;
}

export function startHelper<J extends object, R>(file: URL, args: readonly string[] = []): Helper<J, R> {
  const child = fork(fileURLToPath(file), args);
  return {
    run: (job) =>
      new Promise<R>((resolve, reject) => {
        const fail = () => reject(new Error(`${file.pathname} ended`));
        child.once('exit', fail);
        child.once('message', (result) => {
          child.off('exit', fail);
          // Safe: the file's process answers so.
          resolve(result as R);
        });
        child.send(job);
      }),
    stop: () => end(child),
  };
}

/** A process that puts requests. */
export interface LoadGenerator {
  aim(target: Target): Promise<Aim>;
  stop(): Promise<void>;
}

/** One target of it; connections stay open from one run to the next. */
export interface Aim {
  /** Fails unless all answers are good. */
  run(extent: Extent): Promise<Load>;
  leave(): Promise<void>;
}

export function startLoadGenerator(): LoadGenerator {
  const helper = startHelper<Order, unknown>(new URL('./load-process.js', import.meta.url));
  return {
    async aim(target) {
      // Safe, as below: the process answers so.
      const number = (await helper.run({ aim: target })) as number;
      return {
        async run(extent) {
          const result = (await helper.run({ at: number, for: extent })) as Load;
          if (result.failed === 0) return result;
          throw new Error(`${result.failed} of ${result.requests} answers were errors, of ${target.paths[0]}`);
        },
        leave: async () => void (await helper.run({ leave: number })),
      };
    },
    stop: helper.stop,
  };
}
