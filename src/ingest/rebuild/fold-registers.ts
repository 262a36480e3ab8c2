import { type ActiveList, accountOfList, activeList } from '../../graph/active-list.ts';
import type { Address } from '../../protocol/hex.ts';
import { decodePrimaryList, decodeRole } from '../../protocol/metadata.ts';
import { decodeStorageLocation } from '../../protocol/storage-location.ts';
import type { SubjectIds } from '../../rows/stored-log.ts';
import type { Row } from '../../store/schema.ts';
import { blankList, blankSlot, nameOfAccount, nameOfList } from '../register-rows.ts';
import type { CollectedLogs } from './collected-logs.ts';

/** Lists, slots and accounts after all logs, and the active list of each account. */
export interface RegisterState {
  readonly lists: ReadonlyMap<string, Row<'lists'>>;
  readonly slots: ReadonlyMap<string, Row<'slots'>>;
  readonly accounts: ReadonlyMap<Address, { primaryList: string | null; active: ActiveList | null }>;
}

export function foldRegisters({ registers }: CollectedLogs, subjects: SubjectIds): RegisterState {
  const lists = new Map<string, Row<'lists'>>();
  const slots = new Map<string, Row<'slots'>>();
  const listOf = (subject: number) => rowOf(lists, nameOfList(subjects.nameOf(subject)), blankList);
  const slotOf = (subject: number) => rowOf(slots, subjects.nameOf(subject), blankSlot);
  for (const [subject, { value }] of registers.owner) listOf(subject).owner = decodeRole(value);
  for (const [subject, { value }] of registers.location) listOf(subject).slot = decodeStorageLocation(value);
  for (const [subject, { value }] of registers.user) slotOf(subject).user = decodeRole(value);
  for (const [subject, { value }] of registers.manager) slotOf(subject).manager = decodeRole(value);
  const stateOf = (slot: string) => slots.get(slot) ?? null;
  for (const list of lists.values()) list.account = accountOfList(list, stateOf);

  const accounts: RegisterState['accounts'] = new Map(
    [...registers['primary-list']].map(([subject, { value }]) => {
      const account = nameOfAccount(subjects.nameOf(subject));
      const primaryList = decodePrimaryList(value);
      const active = activeList(account, primaryList, (list) => lists.get(list) ?? null, stateOf);
      return [account, { primaryList, active }];
    }),
  );
  return { lists, slots, accounts };
}

/** The row of a key, created blank on first use. */
export function rowOf<R>(rows: Map<string, R>, key: string, blank: (key: string) => R): R {
  let row = rows.get(key);
  if (row === undefined) rows.set(key, (row = blank(key)));
  return row;
}
