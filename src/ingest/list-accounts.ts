import { accountOfList } from '../graph/active-list.ts';
import type { Transaction } from '../store/store.ts';
import type { RegisterRows, Touched } from './register-rows.ts';

/** Sets whom lists stand for: those that were touched, and those whose slot has another user now. */
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
  const concerned = [...touched.lists, ...stored.map(({ token_id }) => token_id)];
  await lists.load(concerned);
  await slots.load(concerned.map((list) => lists.after(list).slot));
  for (const list of concerned) {
    const row = lists.after(list);
    row.account = accountOfList(row, (slot) => slots.after(slot));
  }
}
