import cluster from 'node:cluster';
import { resolve } from 'node:path';
import { Shutdown } from './commands/command.ts';
import { printFailure, runCommandLine } from './commands/command-line.ts';
import { describeError, type ErrorDescription } from './commands/describe-error.ts';
import { createLogger } from './commands/logger.ts';
import { SUPERVISED, sendFailure, sendHeartbeats } from './commands/supervised.ts';
import { ENV_FILE, readEnvFile } from './config/env-file.ts';
import { requireKnown } from './config/unknown-settings.ts';

/** Added to the shutdown delay. Must be longer than `stopMs` in `supervise.ts`. */
const SHUTDOWN_MS = 14_000;

const args = process.argv.slice(2);
const isSupervised = args.at(-1) === SUPERVISED;
if (isSupervised) args.pop();

// Node's own lines for these are not JSON.
process.removeAllListeners('warning');
process.on('warning', (warning) =>
  createLogger({ level: 'warn', output: process.stderr }).warn({ err: warning }, warning.message),
);
// The reader of the output is gone. Reporting that on the same output would fail again, without end.
for (const output of [process.stdout, process.stderr]) output.on('error', () => process.exit(1));
process.on('uncaughtException', (error) => void endWith(describeError(error)));

process.exitCode = await runCommandLine(args, {
  readEnvironment,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: Date.now,
  onShutdown,
  isSupervised,
  onFailure: fail,
});
// Waits until the primary process has taken the worker off its list: a connection that it hands over later would be lost.
if (process.connected) cluster.worker?.disconnect();

/** The only access to process.env. */
function readEnvironment(): NodeJS.ProcessEnv {
  // Child processes inherit the variables. They do not read the file, which may have changed since.
  const path = resolve(ENV_FILE);
  if (!isSupervised) Object.assign(process.env, { ...requireKnown(path, readEnvFile(path)), ...process.env });
  return process.env;
}

async function fail(failure: ErrorDescription): Promise<void> {
  if (isSupervised && process.connected) await sendFailure(failure);
  else printFailure(process.stderr, failure);
}

async function endWith(failure: ErrorDescription): Promise<void> {
  await fail(failure);
  process.exit(1);
}

function onShutdown(delayMs: number): AbortSignal {
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
  // A second Ctrl-C ends the process at once.
  process[isSupervised ? 'on' : 'once']('SIGINT', begin);
  // Stop when the parent process dies.
  process.once('disconnect', () => begin('disconnect'));
  // Do not let the IPC channel keep the process alive. Cluster workers receive their sockets over it and disconnect at the end.
  if (!cluster.isWorker) process.channel?.unref();
  return shutdown.signal;
}
