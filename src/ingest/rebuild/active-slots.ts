import type { SubjectIds } from '../../rows/stored-log.ts';
import { type CollectedLogs, NO_ACCOUNT } from './collected-logs.ts';
import type { RegisterState } from './fold-registers.ts';

/** The active slots. Accounts are ids of the collected logs. */
export interface ActiveSlots {
  /** The token id of the active list, by account. */
  readonly lists: (string | undefined)[];
  /** The active slot, by account. */
  readonly slotOf: (number | undefined)[];
  /** The account whose active slot it is, or `NO_ACCOUNT`, by slot. */
  readonly accountOf: Int32Array;
}

export function findActiveSlots(collected: CollectedLogs, subjects: SubjectIds, registers: RegisterState): ActiveSlots {
  const lists: (string | undefined)[] = [];
  const slotOf: (number | undefined)[] = [];
  const accountOf = new Int32Array(subjects.end).fill(NO_ACCOUNT);
  for (const [address, { active }] of registers.accounts) {
    if (active === null) continue;
    const account = collected.idOf(address);
    lists[account] = active.list;
    const slot = subjects.requireId(active.slot);
    slotOf[account] = slot;
    accountOf[slot] = account;
  }
  return { lists, slotOf, accountOf };
}
