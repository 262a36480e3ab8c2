import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
export const KITH = join(PROJECT, 'bin/kith.js');
/** Saves a tenth of the CPU time of a start. */
const COMPILE_CACHE = join(PROJECT, 'build/compile-cache');

/** The URL of a compiled file; worker threads exist in compiled form only. */
export const builtUrl = (file: string) => pathToFileURL(join(PROJECT, 'dist', file)).href;

export interface RunOptions {
  /** The whole environment of the process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
}

export interface Outcome {
  /** Null if the process was killed by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The error that ended a command, from the last line of JSON on standard error. */
export function failureIn(stderr: string): string {
  const { level, code, msg } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
  if (level !== 60) throw new Error(`the last line is no fatal error: ${stderr}`);
  return `${msg} [${code}]`;
}

/** Runs a command in a child process until it exits. */
export async function spawnKith(args: readonly string[], { env = {}, stdin = '' }: RunOptions = {}): Promise<Outcome> {
  const running = follow(process.execPath, [KITH, ...args], { env });
  running.child.stdin.end(stdin);
  return running.outcome;
}

/** Runs a program until it exits. */
export async function run(file: string, args: readonly string[], options: SpawnOptions): Promise<Outcome> {
  const running = follow(file, args, options);
  running.child.stdin.end();
  return running.outcome;
}

export interface RunningKith {
  /** Base URL, without a trailing slash. */
  readonly url: string;
  /** Everything written to standard output so far. */
  stdout(): string;
  /** Everything written to standard error so far. */
  stderr(): string;
  /** Waits until one of the outputs matches. */
  untilSaid(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal without waiting. */
  signal(signal: NodeJS.Signals): void;
  /** Waits for the exit. */
  ended(): Promise<Outcome>;
  /** Sends SIGTERM and waits for the exit. */
  end(): Promise<Outcome>;
}

/** Starts a command, which is killed after the test. */
export function followKith(args: readonly string[], env: Readonly<Record<string, string>>) {
  const running = follow(process.execPath, [KITH, ...args], { env });
  onTestFinished(async () => {
    running.child.kill('SIGKILL');
    await running.outcome;
  });
  return running;
}

/** Printed by `start`, and logged by every command that listens. */
export const LISTENING = /(?:Kith listens on |Server listening at )(http:\/\/[\w.:[\]]*\w)/;

const ON_FREE_PORT = { PORT: '0', SHUTDOWN_DELAY_S: '0' };

/** Starts a server on a free port and waits until it listens. It is killed after the test. */
export function startKith(command: 'start' | 'serve', env: Readonly<Record<string, string>>): Promise<RunningKith> {
  return untilListening(followKith([command], { ...ON_FREE_PORT, ...env }));
}

/** The same for the tests of a suite, which have to end it. */
export function startSharedKith(
  command: 'start' | 'serve',
  env: Readonly<Record<string, string>>,
): Promise<RunningKith> {
  return untilListening(follow(process.execPath, [KITH, command], { env: { ...ON_FREE_PORT, ...env } }));
}

async function untilListening(running: ReturnType<typeof follow>): Promise<RunningKith> {
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
  /** By default outside of the project, so that no test leaves a database there. */
  readonly cwd?: string;
}

/** Starts a program and collects its output. */
export function follow(file: string, args: readonly string[], { env, cwd = tmpdir() }: SpawnOptions) {
  const child = spawn(file, args, { env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env }, cwd });
  // A command may exit before it has read all of its input.
  child.stdin.on('error', () => undefined);
  const closed = once(child, 'close').then(([code]) => code as number | null);
  return { child, ...collectOutput(args, child, closed) };
}

interface Streams {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** Collects the output of a command until it ends. */
export function collectOutput(args: readonly string[], streams: Streams, exitCode: Promise<number | null>) {
  const heard = new EventEmitter();
  let stdout = '';
  let stderr = '';
  let ended = false;
  streams.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    heard.emit('something');
  });
  streams.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    heard.emit('something');
  });
  const outcome = exitCode.then((code): Outcome => {
    ended = true;
    return { code, stdout, stderr };
  });

  async function untilSaid(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(stdout) ?? pattern.exec(stderr);
      if (found !== null) return found;
      if (ended) throw new Error(`${args.join(' ')} exited without printing ${pattern}:\n${stdout}${stderr}`);
      await Promise.race([once(heard, 'something'), outcome]);
    }
  }
  return { outcome, untilSaid, stdout: () => stdout, stderr: () => stderr };
}
