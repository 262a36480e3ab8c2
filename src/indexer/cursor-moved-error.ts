import { OperatorError } from '../errors/operator-error.ts';
import type { BlockRef } from './reorg.ts';

/** The database is not in the state that the caller read: a backup, a standby that lagged, or another writer. */
export class CursorMovedError extends OperatorError {
  readonly code = 'E_CURSOR_MOVED';

  constructor(chainId: number, expected: string, found: BlockRef | undefined) {
    const stored = found === undefined ? 'none' : describeBlock(found);
    super(`chain ${chainId}: expected the last stored block to be ${expected}, but it is ${stored}`);
  }
}

export function describeBlock({ number, hash }: BlockRef): string {
  return `block ${number} with hash ${hash}`;
}
