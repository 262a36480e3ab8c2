import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Job, Load } from './load-process.ts';

/** A server in a process of its own. */
export interface Server {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const KITH = here('../../../bin/kith.js');

/** `kith serve`, as operators run it. */
export async function startKith(env: Readonly<Record<string, string>>): Promise<Server> {
  const child = spawn(process.execPath, [KITH, 'serve'], {
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

export async function startBare(bytes: number): Promise<Server> {
  const child = fork(here('./bare-process.js'), [String(bytes)]);
  const [port] = (await once(child, 'message')) as [number];
  return serverOf(child, port);
}

function serverOf(child: ChildProcess, port: number): Server {
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export interface LoadGenerator {
  run(job: Job): Promise<Load>;
  stop(): void;
}

export function startLoadGenerator(): LoadGenerator {
  const child = fork(here('./load-process.js'));
  return {
    async run(job) {
      child.send(job);
      const [load] = (await once(child, 'message')) as [Load];
      return load;
    },
    stop: () => child.kill(),
  };
}
