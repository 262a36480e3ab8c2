import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { ErrorDescription } from '../errors/operator-error.ts';

/** The compiled entry file, for child processes. */
export const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));

/** The last argument of a child process that `supervise` started. */
export const SUPERVISED = '--supervised';

/** How often a supervised process sends a heartbeat. */
const HEARTBEAT_MS = 1_000;

/** IPC message of a supervised process. All of its messages are heartbeats. */
type ChildMessage = { readonly type: 'kith:heartbeat' } | ({ readonly type: 'kith:failed' } & ErrorDescription);

/** Resolves when the message is written, or cannot be because the parent is gone. */
function sendToParent(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) resolve();
    else process.send?.(message, undefined, undefined, () => resolve());
  });
}

/** Sends heartbeats while the event loop runs. They do not keep the process alive. */
export function sendHeartbeats(): void {
  const beat = () => void sendToParent({ type: 'kith:heartbeat' });
  beat();
  setInterval(beat, HEARTBEAT_MS).unref();
}

/** Instead of printing the error that ends the process. */
export function sendFailure(failure: ErrorDescription): Promise<void> {
  return sendToParent({ type: 'kith:failed', ...failure });
}

/** Why a process ended. */
export type ChildExit = Awaited<ReturnType<typeof watch>>;

export interface SuperviseOptions {
  /** Starts the process, with an IPC channel and the argument `SUPERVISED`. */
  start(): ChildProcess;
  /** Logged when the process exits without having been stopped. */
  readonly exitMessage: string;
  readonly logger: Pick<Logger, 'error'>;
  /** Called before the exit is logged. If it returns false, the exit is not logged and the process not restarted. */
  onExit?(exit: ChildExit): boolean;
  readonly limits?: typeof LIMITS;
  /** How long the process goes on after SIGTERM before it begins to stop. */
  readonly stopDelayMs?: number;
}

/**
 * A minute without heartbeats, because killing a process that is only slow makes an overload worse: with ten busy
 * processes per core, loading the modules of a worker took half a minute.
 */
const LIMITS = {
  /** How often heartbeats are checked. Missed ones are counted, so that a suspended parent does not kill its children. */
  checkMs: HEARTBEAT_MS,
  missedHeartbeats: 60,
  /** The same before its first heartbeat, while it loads its modules. */
  missedAtStart: 180,
  /** A stop takes the drain time of HTTP connections, 10 s, and the closing of the database. */
  stopMs: 12_000,
};

const MIN_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/**
 * Runs a child process. Restarts it when it exits, with exponential backoff while it keeps failing, and when it sends no
 * heartbeats, because it is stopped or its event loop is blocked.
 */
export function supervise(options: SuperviseOptions) {
  const { start, exitMessage, logger, onExit = () => true, limits = LIMITS, stopDelayMs = 0 } = options;
  const ending = new AbortController();
  const { signal: ended } = ending;
  let child: ChildProcess | undefined;
  let stopped: Promise<void> | undefined;

  const run = async () => {
    for (let failures = 0; !ended.aborted; failures += 1) {
      const startedAt = performance.now();
      child = start();
      const exit = await watch(child, limits);
      if (ended.aborted || !onExit(exit)) return;
      if (performance.now() - startedAt > MAX_BACKOFF_MS) failures = 0;
      const retryMs = Math.min(MIN_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS);
      logger.error({ child: child.pid, ...exit, retryMs }, exitMessage);
      await setTimeout(retryMs, undefined, { signal: ended }).catch(() => undefined);
    }
  };
  const running = run();
  const stop = async (signal: NodeJS.Signals) => {
    ending.abort();
    child?.kill(signal);
    const late = globalThis.setTimeout(() => {
      logger.error({ child: child?.pid }, 'child process did not stop in time, killing it');
      child?.kill('SIGKILL');
    }, stopDelayMs + limits.stopMs);
    await running;
    clearTimeout(late);
  };
  return {
    /** Sends SIGTERM or another signal, then SIGKILL if the process has not exited in time, and waits for its exit. */
    stop: (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => (stopped ??= stop(signal)),
  };
}

/** Kills the process if it hangs. Resolves when it has exited. */
async function watch(child: ChildProcess, limits: typeof LIMITS) {
  let failure: ErrorDescription | undefined;
  let hang: string | undefined;
  let missed = 0;
  let allowed = limits.missedAtStart;
  // Safe: every message has a type; those of other types are none of these.
  child.on('message', (message: ChildMessage) => {
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
      return { reason: error.message, code: null, signal: null };
    }
    child.on('error', () => undefined);
    // Not by `once`, which rejects on those.
    const { code, signal } = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
      child.once('exit', (code, signal) => resolve({ code, signal })),
    );
    // Messages that the process sent before its exit may still be in the channel.
    if (child.connected) await new Promise<void>((resolve) => child.once('disconnect', () => resolve()));
    const reason = hang ?? failure?.text ?? (signal === null ? `exited with code ${code}` : `killed by ${signal}`);
    // The error is undefined if the process reported none, for example because it was killed.
    return { reason, error: failure?.code, code, signal };
  } finally {
    clearInterval(check);
  }
}
