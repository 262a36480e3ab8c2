import { type ActiveList, accountOfList, activeList } from '../../graph/active-list.ts';
import type { Address } from '../../protocol/hex.ts';
import { decodePrimaryList, decodeRole } from '../../protocol/metadata.ts';
import { decodeStorageLocation } from '../../protocol/storage-location.ts';
import { type Ids, listKey, tokenIdOf, unsetList, unsetSlot } from '../../rows/ids.ts';
import type { ListRegisters, SlotRegisters } from '../register-rows.ts';
import type { CollectedLogs } from './collected-logs.ts';

/** Lists, slots and accounts after all logs, and the active list of each account. */
export interface RegisterState {
  readonly lists: ReadonlyMap<string, ListRegisters>;
  readonly slots: ReadonlyMap<string, SlotRegisters>;
  readonly accounts: ReadonlyMap<Address, { primaryList: string | null; active: ActiveList | null }>;
}

/** Folds the registers, and assigns ids to all that they name. */
export function foldRegisters({ registers }: CollectedLogs, ids: Ids): RegisterState {
  const lists = new Map<string, ListRegisters>();
  const slots = new Map<string, SlotRegisters>();
  const listOf = (subject: number) => rowOf(lists, tokenIdOf(ids.keyOf(subject)), unsetList);
  const slotOf = (subject: number) => rowOf(slots, ids.keyOf(subject), unsetSlot);
  for (const [subject, { value }] of registers.owner) listOf(subject).owner = decodeRole(value);
  for (const [subject, { value }] of registers.location) listOf(subject).slot = decodeStorageLocation(value);
  for (const [subject, { value }] of registers.user) slotOf(subject).user = decodeRole(value);
  for (const [subject, { value }] of registers.manager) slotOf(subject).manager = decodeRole(value);
  const stateOf = (slot: string) => slots.get(slot) ?? null;
  for (const list of lists.values()) list.account = accountOfList(list, stateOf);

  const accounts: RegisterState['accounts'] = new Map(
    [...registers['primary-list']].map(([subject, { value }]) => {
      // Safe: the subjects of account metadata are accounts.
      const account = ids.keyOf(subject) as Address;
      const primaryList = decodePrimaryList(value);
      const active = activeList(account, primaryList, (list) => lists.get(list) ?? null, stateOf);
      return [account, { primaryList, active }];
    }),
  );
  ids.number(namedBy({ lists, slots, accounts }));
  return { lists, slots, accounts };
}

function* namedBy({ lists, slots, accounts }: RegisterState): Generator<string> {
  for (const { owner, slot } of lists.values()) yield* present([owner, slot]);
  for (const { user, manager } of slots.values()) yield* present([user, manager]);
  for (const { primaryList } of accounts.values()) if (primaryList !== null) yield listKey(primaryList);
}

const present = (keys: readonly (string | null)[]) => keys.filter((key) => key !== null);

/** The row of a key, created blank on first use. */
function rowOf<R>(rows: Map<string, R>, key: string, blank: (key: string) => R): R {
  let row = rows.get(key);
  if (row === undefined) rows.set(key, (row = blank(key)));
  return row;
}
