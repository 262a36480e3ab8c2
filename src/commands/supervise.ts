import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { ErrorCode } from '../errors/operator-error.ts';
import type { ErrorDescription } from './describe-error.ts';
import { HEARTBEAT_MS, isChildMessage } from './supervised.ts';

/** The compiled entry file, for child processes. */
export const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));

/** Why a process ended. */
export interface ChildExit {
  readonly reason: string;
  /** The code of the error that ended it; undefined if it reported none, for example because it was killed. */
  readonly error: ErrorCode | undefined;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface SuperviseOptions {
  /** Starts the process, with an IPC channel and the argument `SUPERVISED`. */
  start(): ChildProcess;
  /** Logged when the process exits without having been stopped. */
  readonly exitMessage: string;
  readonly logger: Pick<Logger, 'error'>;
  /** Called before the exit is logged. If it returns false, the exit is not logged and the process not restarted. */
  onExit?(exit: ChildExit): boolean;
  readonly limits?: SuperviseLimits;
  /** How long the process goes on after SIGTERM before it begins to stop. */
  readonly stopDelayMs?: number;
}

interface SuperviseLimits {
  /** How often heartbeats are checked. Missed ones are counted, so that a suspended parent does not kill its children. */
  readonly checkMs: number;
  /** Checks without a heartbeat after which the process counts as hung. */
  readonly missedHeartbeats: number;
  /** The same before its first heartbeat, while it loads its modules. */
  readonly missedAtStart: number;
  /** How long a process may take to exit after SIGTERM. */
  readonly stopMs: number;
}

/**
 * A minute, because killing a process that is only slow makes an overload worse: with ten busy processes per core, loading
 * the modules of a worker took half a minute. A stop takes the drain time of HTTP connections, 10 s, and the closing of
 * the database.
 */
const LIMITS: SuperviseLimits = { checkMs: HEARTBEAT_MS, missedHeartbeats: 60, missedAtStart: 180, stopMs: 12_000 };

const MIN_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/**
 * Runs a child process. Restarts it when it exits, with exponential backoff while it keeps failing, and when it sends no
 * heartbeats, because it is stopped or its event loop is blocked.
 */
export function supervise(options: SuperviseOptions) {
  const { start, exitMessage, logger, onExit = () => true, limits = LIMITS, stopDelayMs = 0 } = options;
  let child: ChildProcess | undefined;
  let retry: NodeJS.Timeout | undefined;
  let stopped: Promise<void> | undefined;
  let failures = 0;
  let exited: Promise<void> = Promise.resolve();

  const run = () => {
    const startedAt = Date.now();
    const started = start();
    child = started;
    exited = watch(started, limits).then((exit) => {
      if (stopped !== undefined || !onExit(exit)) return;
      if (Date.now() - startedAt > MAX_BACKOFF_MS) failures = 0;
      const retryMs = Math.min(MIN_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS);
      failures += 1;
      logger.error({ child: started.pid, ...exit, retryMs }, exitMessage);
      retry = setTimeout(run, retryMs);
    });
  };
  const stop = async (signal: NodeJS.Signals) => {
    clearTimeout(retry);
    const stopping = child;
    stopping?.kill(signal);
    const late = setTimeout(() => {
      logger.error({ child: stopping?.pid }, 'child process did not stop in time, killing it');
      stopping?.kill('SIGKILL');
    }, stopDelayMs + limits.stopMs);
    await exited;
    clearTimeout(late);
  };
  run();
  return {
    /** Sends SIGTERM or another signal, then SIGKILL if the process has not exited in time, and waits for its exit. */
    stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
      stopped ??= stop(signal);
      return stopped;
    },
  };
}

/** Kills the process if it hangs. Resolves when it has exited. */
async function watch(child: ChildProcess, limits: SuperviseLimits): Promise<ChildExit> {
  let failure: ErrorDescription | undefined;
  let hang: string | undefined;
  let missed = 0;
  let allowed = limits.missedAtStart;
  child.on('message', (message) => {
    if (!isChildMessage(message)) return;
    if (message.type === 'kith:failed') failure = message;
    [missed, allowed] = [0, limits.missedHeartbeats];
  });
  const check = setInterval(() => {
    missed += 1;
    if (missed <= allowed) return;
    hang = `no heartbeat for ${Math.round((missed * limits.checkMs) / 1000)} s, killed`;
    child.kill('SIGKILL');
  }, limits.checkMs).unref();
  try {
    // A process that cannot be spawned emits `error` and no `exit`. Other errors are of IPC messages to a dead process.
    if (child.pid === undefined) {
      const [error] = (await once(child, 'error')) as [Error];
      return { reason: error.message, error: undefined, code: null, signal: null };
    }
    child.on('error', () => undefined);
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    // Messages that the process sent before its exit may still be in the channel.
    if (child.connected) await once(child, 'disconnect');
    const reason = hang ?? failure?.text ?? (signal === null ? `exited with code ${code}` : `killed by ${signal}`);
    return { reason, error: failure?.code, code, signal };
  } finally {
    clearInterval(check);
  }
}
