import type { SubjectIds } from '../../rows/stored-log.ts';
import type { CollectedLogs } from './collected-logs.ts';
import type { RegisterState } from './fold-registers.ts';

export const NOBODY = -1;

/** Whose slots count, with accounts as the numbers that the collected logs gave them. */
export interface ActiveSlots {
  /** By account, the number of its active list. */
  readonly lists: (string | undefined)[];
  /** By slot, the account whose active slot it is, or `NOBODY`. */
  readonly accountOf: Int32Array;
}

export function findActiveSlots(collected: CollectedLogs, subjects: SubjectIds, registers: RegisterState): ActiveSlots {
  const lists: (string | undefined)[] = [];
  const accountOf = new Int32Array(subjects.end).fill(NOBODY);
  for (const [address, { active }] of registers.accounts) {
    if (active === null) continue;
    const account = collected.idOf(address);
    lists[account] = active.list;
    accountOf[subjects.requireId(active.slot)] = account;
  }
  return { lists, accountOf };
}
