import type { Ids } from '../../rows/ids.ts';
import { type CollectedLogs, NO_ACCOUNT } from './collected-logs.ts';
import type { RegisterState } from './fold-registers.ts';

/** The active slots, by id. */
export interface ActiveSlots {
  /** The active slot, by account. */
  readonly slotOf: (number | undefined)[];
  /** The account whose active slot it is, or `NO_ACCOUNT`, by slot. */
  readonly accountOf: Int32Array;
}

/** What the rows of all tables are made from, besides the folded graph. */
export interface RowInputs {
  readonly ids: Ids;
  readonly collected: CollectedLogs;
  readonly active: ActiveSlots;
  /** The ids of all accounts, ascending. */
  readonly accounts: readonly number[];
}

export function createRowInputs(collected: CollectedLogs, ids: Ids, registers: RegisterState): RowInputs {
  const accounts: number[] = [];
  for (const [id, key] of ids.entries()) if (key.startsWith('0x')) accounts.push(id);
  return { ids, collected, active: findActiveSlots(ids, registers), accounts: accounts.sort((a, b) => a - b) };
}

function findActiveSlots(ids: Ids, registers: RegisterState): ActiveSlots {
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
