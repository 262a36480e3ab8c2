import { addressPrefix } from '../../graph/address-prefix.ts';
import type { Ids } from '../../rows/ids.ts';
import { type ActiveSlots, findActiveSlots } from './active-slots.ts';
import type { CollectedLogs } from './collected-logs.ts';
import type { RegisterState } from './fold-registers.ts';

/** What the rows of all tables are made from, besides the folded graph. */
export interface RowInputs {
  readonly ids: Ids;
  readonly collected: CollectedLogs;
  readonly active: ActiveSlots;
  /** The ids of all accounts, ascending. */
  readonly accounts: readonly number[];
  /** The prefix of each account's address, by account. */
  readonly prefixes: Float64Array;
}

export function createRowInputs(collected: CollectedLogs, ids: Ids, registers: RegisterState): RowInputs {
  const accounts: number[] = [];
  const prefixes = new Float64Array(ids.end);
  for (const [id, key] of ids.entries()) {
    if (!key.startsWith('0x')) continue;
    accounts.push(id);
    prefixes[id] = addressPrefix(key);
  }
  return {
    ids,
    collected,
    active: findActiveSlots(ids, registers),
    accounts: accounts.sort((a, b) => a - b),
    prefixes,
  };
}
