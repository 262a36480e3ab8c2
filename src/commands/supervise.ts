import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';

export interface Supervised {
  /** Sends SIGTERM and waits for the process to exit. */
  stop(): Promise<void>;
}

export interface SuperviseOptions {
  start(): ChildProcess;
  /** Logged when the process exits without having been stopped. */
  readonly exitMessage: string;
  readonly logger: Pick<Logger, 'error'>;
}

const MIN_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/** Runs a child process and restarts it when it exits, with exponential backoff while it keeps failing. */
export function supervise({ start, exitMessage, logger }: SuperviseOptions): Supervised {
  let child: ChildProcess | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;
  let failures = 0;
  let exited: Promise<void> = Promise.resolve();

  const run = () => {
    const startedAt = Date.now();
    const started = start();
    child = started;
    exited = new Promise((resolve) => {
      const onExit = (reason: object) => {
        resolve();
        if (isStopped) return;
        if (Date.now() - startedAt > MAX_BACKOFF_MS) failures = 0;
        const retryMs = Math.min(MIN_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS);
        failures += 1;
        logger.error({ ...reason, retryMs }, exitMessage);
        retry = setTimeout(run, retryMs);
      };
      started.once('exit', (code, signal) => onExit({ code, signal }));
      // A process that fails to spawn emits `error` but no `exit`.
      started.once('error', (err) => started.pid === undefined && onExit({ err }));
    });
  };
  run();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(retry);
      child?.kill('SIGTERM');
      await exited;
    },
  };
}
