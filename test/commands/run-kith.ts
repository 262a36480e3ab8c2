import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
export const KITH = join(PROJECT, 'bin/kith.js');

/** Where a file of the program is as it is built; only there are the files of its threads. */
export const builtUrl = (file: string) => pathToFileURL(join(PROJECT, 'dist', file)).href;

export interface RunOptions {
  /** All that the process gets of an environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
}

export interface Outcome {
  /** Null when a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end, in a process of its own. */
export async function spawnKith(args: readonly string[], { env = {}, stdin = '' }: RunOptions = {}): Promise<Outcome> {
  const running = follow(process.execPath, [KITH, ...args], { env });
  running.child.stdin.end(stdin);
  return running.outcome;
}

/** Runs any program to its end. */
export async function run(file: string, args: readonly string[], options: SpawnOptions): Promise<Outcome> {
  const running = follow(file, args, options);
  running.child.stdin.end();
  return running.outcome;
}

export interface RunningKith {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Everything written to standard output so far. */
  stdout(): string;
  /** And to standard error. */
  stderr(): string;
  /** Waits until one of the outputs matches. */
  untilSaid(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal, without waiting for what comes of it. */
  signal(signal: NodeJS.Signals): void;
  /** Waits until it has ended. */
  ended(): Promise<Outcome>;
  /** Asks it to end and waits until it has. */
  end(): Promise<Outcome>;
}

/** Starts a command without waiting for its end. It is gone when the test is. */
export function followKith(args: readonly string[], env: Readonly<Record<string, string>>) {
  const running = follow(process.execPath, [KITH, ...args], { env });
  onTestFinished(async () => {
    running.child.kill('SIGKILL');
    await running.outcome;
  });
  return running;
}

/** `start` says it to people, every command that listens says it in its log. */
const LISTENING = /(?:Kith listens on |Server listening at )(http:\/\/[\w.:[\]]*\w)/;

/** Starts a command that serves, on a free port, and waits until it says where. */
export async function startKith(
  command: 'start' | 'serve' | '',
  env: Readonly<Record<string, string>>,
): Promise<RunningKith> {
  const running = followKith(command === '' ? [] : [command], { PORT: '0', ...env });
  const { child, outcome, untilSaid } = running;
  const [, url = ''] = await untilSaid(LISTENING);
  return {
    url,
    stdout: running.stdout,
    stderr: running.stderr,
    untilSaid,
    signal: (signal) => child.kill(signal),
    ended: () => outcome,
    end() {
      child.kill('SIGTERM');
      return outcome;
    },
  };
}

interface SpawnOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Another folder than the project's by default, so that no test leaves a database in it. */
  readonly cwd?: string;
}

/** Starts a program and listens to it. */
export function follow(file: string, args: readonly string[], { env, cwd = tmpdir() }: SpawnOptions) {
  const child = spawn(file, args, { env, cwd });
  const heard = new EventEmitter();
  let stdout = '';
  let stderr = '';
  let ended = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    heard.emit('something');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    heard.emit('something');
  });
  // A command may end without having read its input to the end.
  child.stdin.on('error', () => undefined);
  const outcome = once(child, 'close').then(([code]): Outcome => {
    ended = true;
    return { code: code as number | null, stdout, stderr };
  });

  async function untilSaid(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(stdout) ?? pattern.exec(stderr);
      if (found !== null) return found;
      if (ended) throw new Error(`${args.join(' ')} ended and never said ${pattern}:\n${stdout}${stderr}`);
      await Promise.race([once(heard, 'something'), outcome]);
    }
  }
  return { child, outcome, untilSaid, stdout: () => stdout, stderr: () => stderr };
}
