import { accountOfList } from '../graph/active-list.ts';
import type { Transaction } from '../store/store.ts';
import type { RegisterRows, Touched } from './register-rows.ts';

/** Sets the account of lists: of those that were touched, and of those whose slot has a new user. */
export async function setListAccounts(
  tx: Transaction,
  { lists, slots }: RegisterRows,
  touched: Touched,
): Promise<void> {
  const moved = touched.slots.filter((slot) => slots.before(slot).user !== slots.after(slot).user);
  const stored = await tx.read(
    'lists',
    ['slot'],
    moved.map((slot) => [slot]),
  );
  const affected = [...touched.lists, ...stored.map(({ token_id }) => token_id)];
  await lists.load(affected);
  await slots.load(affected.map((list) => lists.after(list).slot));
  for (const list of affected) {
    const row = lists.after(list);
    row.account = accountOfList(row, (slot) => slots.after(slot));
  }
}
