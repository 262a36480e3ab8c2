import type { Ids } from '../../rows/ids.ts';
import { type CollectedLogs, NO_ACCOUNT } from './collected-logs.ts';
import type { RegisterState } from './fold-registers.ts';

/** What the rows of all tables are made from, besides the folded graph. Accounts and slots are ids. */
export interface RowInputs {
  readonly ids: Ids;
  readonly collected: CollectedLogs;
  /** All accounts, ascending. */
  readonly accounts: readonly number[];
  /** The active slot, by account. */
  readonly slotOf: (number | undefined)[];
  /** The account whose active slot it is, or `NO_ACCOUNT`, by slot. */
  readonly accountOf: Int32Array;
}

export function createRowInputs(collected: CollectedLogs, ids: Ids, registers: RegisterState): RowInputs {
  const accounts: number[] = [];
  for (const [id, key] of ids.entries()) if (key.startsWith('0x')) accounts.push(id);
  const slotOf: (number | undefined)[] = [];
  const accountOf = new Int32Array(ids.end).fill(NO_ACCOUNT);
  for (const [address, { active }] of registers.accounts) {
    if (active === null) continue;
    const account = ids.requireId(address);
    const slot = ids.requireId(active.slot);
    slotOf[account] = slot;
    accountOf[slot] = account;
  }
  return { ids, collected, accounts: accounts.sort((a, b) => a - b), slotOf, accountOf };
}
