import { type ActiveList, activeList } from '../graph/active-list.ts';
import type { Address } from '../protocol/hex.ts';
import type { Cells } from '../rows/cells.ts';
import { type Ids, tokenIdOf } from '../rows/ids.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
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
export async function decideActivity(
  tx: Transaction,
  ids: Ids,
  registers: RegisterRows,
  touched: Touched,
  cells: Cells,
): Promise<Activity[]> {
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
  const rows = [...users, ...unchanged].map((user) => accounts.after(user));
  await ids.name(tx, {
    lists: rows.map(({ primary_list }) => primary_list),
    slots: rows.map(({ active_slot }) => active_slot),
  });
  const primaryOf = ({ primary_list }: Row<'accounts'>) =>
    primary_list === null ? null : tokenIdOf(ids.keyOf(primary_list));
  const primaries = [...users].map((user) => primaryOf(accounts.after(user))).filter((list) => list !== null);
  await lists.load(primaries);
  await slots.load(primaries.map((list) => lists.after(list).slot));

  const kept = [...unchanged]
    .filter((user) => !users.has(user))
    .map((user) => {
      const was = activeOf(ids, accounts.before(user));
      // Safe, here and below: users are decoded from roles and metadata, which hold addresses.
      return { account: user as Address, was, is: was };
    });
  const decided = [...users].map((user) => {
    const row = accounts.after(user);
    const was = activeOf(ids, row);
    const account = user as Address;
    const is = activeList(
      account,
      primaryOf(row),
      (list) => lists.after(list),
      (slot) => slots.after(slot),
    );
    row.active_list = is?.list ?? null;
    row.active_slot = ids.idOrNull(is?.slot ?? null);
    return { account, was, is };
  });
  return [...kept, ...decided];
}

function activeOf(ids: Ids, { active_list, active_slot }: Row<'accounts'>): ActiveList | null {
  return active_list === null || active_slot === null ? null : { list: active_list, slot: ids.keyOf(active_slot) };
}
