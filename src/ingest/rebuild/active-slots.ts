import type { Ids } from '../../rows/ids.ts';
import { NO_ACCOUNT } from './collected-logs.ts';
import type { RegisterState } from './fold-registers.ts';

/** The active slots, by id. */
export interface ActiveSlots {
  /** The active slot, by account. */
  readonly slotOf: (number | undefined)[];
  /** The account whose active slot it is, or `NO_ACCOUNT`, by slot. */
  readonly accountOf: Int32Array;
}

export function findActiveSlots(ids: Ids, registers: RegisterState): ActiveSlots {
  const slotOf: (number | undefined)[] = [];
  const accountOf = new Int32Array(ids.end).fill(NO_ACCOUNT);
  for (const [address, { active }] of registers.accounts) {
    if (active === null) continue;
    const account = ids.requireId(address);
    const slot = ids.requireId(active.slot);
    slotOf[account] = slot;
    accountOf[slot] = account;
  }
  return { slotOf, accountOf };
}
