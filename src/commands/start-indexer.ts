import { fork } from 'node:child_process';
import type { Context } from './command.ts';
import { MAIN } from './main-file.ts';
import { type Supervised, supervise } from './supervise.ts';

/** Runs `kith index` in a child process and restarts it when it exits; serving continues meanwhile. */
export function startIndexer({ logger }: Pick<Context, 'logger'>): Supervised {
  return supervise({
    start: () => fork(MAIN, ['index'], { stdio: 'inherit' }),
    exitMessage: 'indexer exited, serving continues',
    logger,
  });
}
