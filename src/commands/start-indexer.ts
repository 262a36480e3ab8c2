import { fork } from 'node:child_process';
import { CommandError, type ErrorCode } from '../errors/operator-error.ts';
import type { Context } from './command.ts';
import { MAIN, supervise } from './supervise.ts';
import { SUPERVISED } from './supervised.ts';

/** Errors that a restart does not repair. */
const PERMANENT: readonly (ErrorCode | undefined)[] = [
  'E_USAGE',
  'E_CONFIG',
  'E_DEMO_DATABASE',
  'E_OTHER_DEPLOYMENT',
  'E_EARLIER_START_BLOCK',
  'E_PORT_IN_USE',
  'E_LISTEN',
];

/**
 * Runs `kith index` in a child process and restarts it when it exits; serving continues meanwhile. `onFailure` is called
 * instead if a restart cannot help. If a later version has migrated the database, only the indexing ends: in a rolling
 * upgrade, this process serves until it is replaced.
 */
export function startIndexer({ logger }: Pick<Context, 'logger'>, onFailure: (error: CommandError) => void) {
  return supervise({
    start: () => fork(MAIN, ['index', SUPERVISED], { stdio: 'inherit' }),
    exitMessage: 'indexer exited, serving continues',
    logger,
    onExit(exit) {
      if (exit.error === 'E_NEWER_DATABASE') {
        logger.error({ reason: exit.reason }, 'indexing has ended, serving continues until this process is replaced');
        return false;
      }
      if (!PERMANENT.includes(exit.error)) return true;
      onFailure(new CommandError(exit.error ?? 'E_INTERNAL', exit.reason));
      return false;
    },
  });
}
