import { param } from '../store/prepare.ts';
import type { ReadBuilder } from '../store/store.ts';

/** The account that the list `:list` stands for: its slot's user, else its owner. No row when there is no such list. */
export function accountOfList(db: ReadBuilder) {
  return db
    .selectFrom('lists')
    .leftJoin('slots', 'slots.key', 'lists.slot')
    .select((eb) => eb.fn.coalesce('slots.user', 'lists.owner').$notNull().as('account'))
    .where('lists.token_id', '=', param<string>('list'))
    .where('lists.owner', 'is not', null);
}
