import cluster from 'node:cluster';
import { fstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { readMonotonic } from './async/unix-time.ts';
import { Shutdown } from './commands/command.ts';
import { printFailure, runCommandLine } from './commands/command-line.ts';
import { createLogger } from './commands/logger.ts';
import { createFileOutput } from './commands/new-file.ts';
import { SUPERVISED, sendFailure, sendHeartbeats } from './commands/supervise.ts';
import { ENV_FILE, readEnvFile } from './config/env-file.ts';
import { requireKnown } from './config/unknown-settings.ts';
import { describeError, type ErrorDescription, isOutOfFiles } from './errors/operator-error.ts';

/** Added to the shutdown delay. Must be longer than `stopMs` in `supervise.ts`. */
const SHUTDOWN_MS = 14_000;
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const args = process.argv.slice(2);
const isSupervised = args.at(-1) === SUPERVISED;
if (isSupervised) args.pop();

// Node's own lines for these are not JSON.
process.removeAllListeners('warning');
process.on('warning', (warning) =>
  createLogger({ level: 'warn', output: process.stderr }).warn({ err: warning }, warning.message),
);
let isLongRunning = false;
let outputError: NodeJS.ErrnoException | undefined;
const stdout = isFile(process.stdout.fd) ? createFileOutput(process.stdout.fd) : process.stdout;
stdout.on('error', (error) => {
  exitIfClosed(error);
  outputError ??= error;
});
// Log lines are lost while the disk is full. Node's stream goes on with the next one that can be written.
process.stderr.on('error', exitIfClosed);
process.on('uncaughtException', (error) => {
  // For example in a timer. What needs a file fails by itself, and so may this process soon do nothing else.
  if (isLongRunning && isOutOfFiles(error)) {
    createLogger({ level: 'error', output: process.stderr }).error({ err: error }, 'too many open files');
  } else void endWith(describeError(error));
});

process.exitCode = await runCommandLine(args, {
  readEnvironment,
  stdin: process.stdin,
  stdout,
  stderr: process.stderr,
  now: Date.now,
  monotonic: readMonotonic,
  onShutdown,
  onKilled,
  isSupervised,
  onFailure: fail,
});
// An error of the last write is reported in the next turn of the event loop.
await setImmediate();
if (outputError !== undefined && !isLongRunning && process.exitCode === 0) {
  await fail(describeError(outputError));
  process.exitCode = 1;
}
// Waits until the primary process has taken the worker off its list: a connection that it hands over later would be lost.
if (process.connected) cluster.worker?.disconnect();

/** The only access to process.env. */
function readEnvironment(): NodeJS.ProcessEnv {
  // Child processes inherit the variables. They do not read the file, which may have changed since.
  const path = resolve(ENV_FILE);
  if (!isSupervised) Object.assign(process.env, { ...requireKnown(path, readEnvFile(path)), ...process.env });
  return process.env;
}

/** Whether writes to an output are those to a file, or to a device that is no terminal. */
function isFile(fd: number): boolean {
  const stats = fstatSync(fd);
  return stats.isFile() || (stats.isCharacterDevice() && !isatty(fd));
}

async function fail(failure: ErrorDescription): Promise<void> {
  if (isSupervised && process.connected) await sendFailure(failure);
  else if (outputError === undefined || isLongRunning) printFailure(process.stderr, failure);
  else printFailure(process.stderr, { text: `standard output: ${outputError.message}`, code: 'E_OUTPUT' });
}

/** The reader of an output is gone. Reporting that on the same output would fail again, without end. */
function exitIfClosed({ code }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit(1);
}

/** Calls `cleanUp` before a signal ends the process. Returns a function that undoes this. */
function onKilled(cleanUp: () => void): () => void {
  const handle = (signal: NodeJS.Signals) => {
    stop();
    cleanUp();
    process.kill(process.pid, signal);
  };
  const stop = () => {
    for (const signal of ENDING_SIGNALS) process.off(signal, handle);
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, handle);
  return stop;
}

async function endWith(failure: ErrorDescription): Promise<void> {
  await fail(failure);
  process.exit(1);
}

function onShutdown(delayMs: number): AbortSignal {
  isLongRunning = true;
  // Not earlier: loading the modules of a command blocks the event loop.
  if (isSupervised) sendHeartbeats();
  const shutdown = new AbortController();
  const maxMs = delayMs + SHUTDOWN_MS;
  const begin = (by: Shutdown['by']) => {
    if (shutdown.signal.aborted) return;
    shutdown.abort(new Shutdown(by));
    const text = `the process did not shut down within ${maxMs / 1000} s`;
    setTimeout(() => void endWith({ text, code: 'E_SHUTDOWN' }), maxMs).unref();
  };
  // A signal to a process group arrives twice at its child processes: the parent process forwards it.
  process.on('SIGTERM', begin);
  // The terminal was closed.
  process.on('SIGHUP', begin);
  // A second Ctrl-C ends the process at once.
  process[isSupervised ? 'on' : 'once']('SIGINT', begin);
  // Stop when the parent process dies.
  process.once('disconnect', () => begin('disconnect'));
  // Do not let the IPC channel keep the process alive. Cluster workers receive their sockets over it and disconnect at the end.
  if (!cluster.isWorker) process.channel?.unref();
  return shutdown.signal;
}
