import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { KITH } from './paths.ts';

type Env = Readonly<Record<string, string>>;

/** A process of the built `kith`. */
export interface Kith {
  readonly pid: number;
  /** Everything it printed so far. */
  output(): string;
  isAlive(): boolean;
  /** Waits for output that matches. Rejects if the process exits before. */
  untilSaid(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Waits for the exit code; null if a signal ended it. */
  exit(): Promise<number | null>;
  /** Sends SIGTERM and waits. */
  stop(): Promise<void>;
  /** Sends SIGKILL and waits. */
  kill(): Promise<void>;
}

/** A process that serves HTTP. */
export interface KithServer extends Kith {
  readonly port: number;
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
// Without a handler, these signals end the process without the event above.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Starts a command. Settings of the calling environment do not apply. */
export function spawnKith(args: readonly string[], env: Env): Kith {
  const child = spawn(process.execPath, ['--max-semi-space-size=8', KITH, ...args], {
    // Not the clone, which may have a file .env.
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, PORT: '0', SHUTDOWN_DELAY_S: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const chunks: string[] = [];
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      chunks.push(text);
      for (const listener of listeners) listener();
    });
  }
  const closed = once(child, 'close').then(([code]) => {
    children.delete(child);
    return code as number | null;
  });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (isAlive()) child.kill(signal);
    await closed;
  };
  const output = () => chunks.join('');
  return {
    pid: child.pid ?? Number.NaN,
    output,
    isAlive,
    untilSaid: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = output().match(pattern);
          if (found === null) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
        closed.then(() => reject(new Error(`kith ${args[0]} exited without printing ${pattern}:\n${output()}`)));
      }),
    exit: () => closed,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** Starts a command that serves, and waits until it listens. */
export async function startKith(command: 'serve' | 'start', env: Env): Promise<KithServer> {
  const kith = spawnKith([command], env);
  const [, port] = await kith.untilSaid(/listening at http:\/\/127\.0\.0\.1:(\d+)/);
  return { ...kith, port: Number(port) };
}

/** Runs a command to its end. */
export async function runKith(args: readonly string[], env: Env): Promise<string> {
  const kith = spawnKith(args, env);
  const code = await kith.exit();
  if (code !== 0) throw new Error(`kith ${args.join(' ')} exited with ${code}:\n${kith.output()}`);
  return kith.output();
}
