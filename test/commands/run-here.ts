import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { readMonotonic } from '../../src/async/unix-time.ts';
import type { Shutdown } from '../../src/commands/command.ts';
import type { Environment, runCommandLine } from '../../src/commands/command-line.ts';
import { builtUrl, collectOutput, LISTENING, type Outcome, type RunningKith, type RunOptions } from './run-kith.ts';

const built: { runCommandLine: typeof runCommandLine } = await import(
  /* @vite-ignore */ builtUrl('commands/command-line.js')
);
const { Shutdown: BuiltShutdown }: { Shutdown: typeof Shutdown } = await import(
  /* @vite-ignore */ builtUrl('commands/command.js')
);

/** Runs a command in this process until it ends, which is far faster than a child process. */
export function runKith(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  // Not aborted: a command that would run until it is stopped is expected to fail before.
  return runHere(args, options, () => new AbortController().signal).outcome;
}

/** Runs a command in this process, and returns its outputs while it runs. `end` stops a server. */
export function followKithHere(args: readonly string[], { env = {}, ...options }: RunOptions) {
  const shutdown = new AbortController();
  const running = runHere(args, { ...options, env: { ...HERE, ...env } }, () => shutdown.signal);
  return { ...running, end: () => shutdown.abort(new BuiltShutdown('SIGTERM')) };
}

/** The event loop is also that of the test. */
const HERE = { PORT: '0', SHUTDOWN_DELAY_S: '0', MAX_EVENT_LOOP_DELAY_MS: '0' };

/** Starts a server on a free port in this process, and stops it after the test. Signals are passed on, not sent. */
export async function startKithHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunningKith> {
  const shutdown = new AbortController();
  const settings = { ...HERE, ...env };
  const { outcome, untilSaid, stdout, stderr } = runHere(args, { env: settings }, () => shutdown.signal);
  const signal = (by: NodeJS.Signals) => shutdown.abort(new BuiltShutdown(by as Shutdown['by']));
  const end = () => {
    signal('SIGTERM');
    return outcome;
  };
  onTestFinished(async () => {
    await end();
  });
  const [, url = ''] = await untilSaid(LISTENING);
  return { url, stdout, stderr, untilSaid, signal, ended: () => outcome, end };
}

function runHere(
  args: readonly string[],
  { env = {}, stdin = '' }: RunOptions,
  onShutdown: Environment['onShutdown'],
): ReturnType<typeof collectOutput> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const ended = Promise.all([once(stdout, 'end'), once(stderr, 'end')]);
  const run = async () => {
    const code = await built.runCommandLine(args, {
      readEnvironment: () => env,
      stdin: Readable.from([Buffer.from(stdin)]),
      stdout,
      stderr,
      now: Date.now,
      monotonic: readMonotonic,
      onShutdown,
      onKilled: () => () => undefined,
    });
    stdout.end();
    stderr.end();
    await ended;
    return code;
  };
  return collectOutput(args, { stdout, stderr }, run());
}
