import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Context } from './command.ts';
import { type Supervised, supervise } from './supervise.ts';

export const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));

/** Runs `kith index` beside this process, and again when it fails: what is indexed is served either way. */
export function startIndexer({ logger }: Pick<Context, 'logger'>): Supervised {
  return supervise({
    start: () => fork(MAIN, ['index'], { stdio: 'inherit' }),
    exitMessage: 'the indexer ended; requests are still answered',
    logger,
  });
}
