import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';

export interface Supervised {
  /** Asks the process to end, and waits until it has. */
  stop(): Promise<void>;
}

export interface SuperviseOptions {
  start(): ChildProcess;
  /** What is said when it has ended by itself. */
  readonly ended: string;
  readonly logger: Pick<Logger, 'error'>;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Runs a process beside this one, and again when it ends, after a pause that grows while it does not last. */
export function supervise({ start, ended: message, logger }: SuperviseOptions): Supervised {
  let child: ChildProcess | undefined;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;
  let failures = 0;
  let ended: Promise<void> = Promise.resolve();

  const run = () => {
    const began = Date.now();
    const next = start();
    child = next;
    ended = new Promise((resolve) => {
      const again = (reason: object) => {
        resolve();
        if (stopped) return;
        if (Date.now() - began > LONGEST_PAUSE_MS) failures = 0;
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
        failures += 1;
        logger.error({ ...reason, retryMs: pause }, message);
        retry = setTimeout(run, pause);
      };
      next.once('exit', (code, signal) => again({ code, signal }));
      // A process that could not be started never exits.
      next.once('error', (err) => next.pid === undefined && again({ err }));
    });
  };
  run();
  return {
    async stop() {
      stopped = true;
      clearTimeout(retry);
      child?.kill('SIGTERM');
      await ended;
    },
  };
}
