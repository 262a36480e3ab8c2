import { type ActiveList, activeList } from '../graph/active-list.ts';
import type { Address } from '../protocol/hex.ts';
import type { Cells } from '../rows/cells.ts';
import type { Row } from '../store/schema.ts';
import type { RegisterRows, Touched } from './register-rows.ts';

/** An account whose edges a change may affect, with its active list before and after. */
export interface Activity {
  readonly account: Address;
  readonly was: ActiveList | null;
  readonly is: ActiveList | null;
}

/**
 * Recomputes the active list of every account that the touched lists, slots and accounts can affect: the accounts
 * themselves, and the old and new users of the slots. No other account's list can become valid or invalid. Users of slots
 * of which only records were touched, which is the common case, keep their active list.
 */
export async function decideActivity(registers: RegisterRows, touched: Touched, cells: Cells): Promise<Activity[]> {
  const { lists, slots, accounts } = registers;
  await slots.load(touched.lists.flatMap((list) => [lists.before(list).slot, lists.after(list).slot]));
  const users = new Set<string>(touched.accounts);
  const unchanged = new Set<string>();
  const addUsers = (slot: string | null, among = users) => {
    if (slot === null) return;
    for (const user of [slots.before(slot).user, slots.after(slot).user]) if (user !== null) among.add(user);
  };
  for (const slot of touched.slots) addUsers(slot, cells.get(slot)?.has('user') ? users : unchanged);
  for (const list of touched.lists) {
    addUsers(lists.before(list).slot);
    addUsers(lists.after(list).slot);
  }
  await accounts.load([...users, ...unchanged]);
  const primaries = [...users].map((user) => accounts.after(user).primary_list).filter((list) => list !== null);
  await lists.load(primaries);
  await slots.load(primaries.map((list) => lists.after(list).slot));

  const kept = [...unchanged]
    .filter((user) => !users.has(user))
    .map((user) => {
      const was = activeOf(accounts.before(user));
      // Safe, here and below: users are decoded from roles and metadata, which hold addresses.
      return { account: user as Address, was, is: was };
    });
  const decided = [...users].map((user) => {
    const row = accounts.after(user);
    const was = activeOf(row);
    const account = user as Address;
    const is = activeList(
      account,
      row.primary_list,
      (list) => lists.after(list),
      (slot) => slots.after(slot),
    );
    row.active_list = is?.list ?? null;
    row.active_slot = is?.slot ?? null;
    return { account, was, is };
  });
  return [...kept, ...decided];
}

function activeOf({ active_list, active_slot }: Row<'accounts'>): ActiveList | null {
  return active_list === null || active_slot === null ? null : { list: active_list, slot: active_slot };
}

/** The accounts whose active list has changed. */
export function accountsWithNewList(activities: readonly Activity[]): Address[] {
  return activities.filter(({ was, is }) => was?.list !== is?.list).map(({ account }) => account);
}
