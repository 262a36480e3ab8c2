import { accountOfList } from '../graph/active-list.ts';
import type { Ids } from '../rows/ids.ts';
import type { Transaction } from '../store/store.ts';
import { nameLists, type RegisterRows, type Touched } from './register-rows.ts';

/** Sets the account of lists: of those that were touched, and of those whose slot has a new user. */
export async function setListAccounts(
  tx: Transaction,
  ids: Ids,
  { lists, slots }: RegisterRows,
  touched: Touched,
): Promise<void> {
  const moved = touched.slots.filter((slot) => slots.before(slot).user !== slots.after(slot).user);
  // A slot without an id is the location of no list.
  await ids.find(tx, moved);
  const known = moved.filter((slot) => ids.has(slot)).map((slot) => ids.requireId(slot));
  const stored = await nameLists(tx, ids, await tx.readBy('lists', 'slot', known));
  const affected = [...touched.lists, ...stored.map(({ token_id }) => token_id)];
  await lists.load(affected);
  await slots.load(affected.map((list) => lists.after(list).slot));
  for (const list of affected) {
    const row = lists.after(list);
    row.account = accountOfList(row, (slot) => slots.after(slot));
  }
}
