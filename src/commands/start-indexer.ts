import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Context } from './command.ts';

export interface IndexerProcess {
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Runs `kith index` beside this process, and again when it fails: what is indexed is served either way. */
export function startIndexer({ logger }: Pick<Context, 'logger'>): IndexerProcess {
  let child: ChildProcess | undefined;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;
  let failures = 0;
  let ended: Promise<void> = Promise.resolve();

  const run = () => {
    const began = Date.now();
    const next = fork(fileURLToPath(new URL('../main.js', import.meta.url)), ['index'], { stdio: 'inherit' });
    child = next;
    ended = new Promise((resolve) => {
      const again = (reason: object) => {
        resolve();
        if (stopped) return;
        if (Date.now() - began > LONGEST_PAUSE_MS) failures = 0;
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
        failures += 1;
        logger.error({ ...reason, retryMs: pause }, 'the indexer ended; requests are still answered');
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
