import type { Address } from '../protocol/hex.ts';
import { param } from '../store/prepare.ts';
import type { ReadBuilder, Reader } from '../store/store.ts';
import { ProblemError } from './problem.ts';

/** The account that the list `:list` stands for: its slot's user, else its owner. No row when there is no such list. */
export function accountOfList(db: ReadBuilder) {
  return db
    .selectFrom('lists')
    .leftJoin('slots', 'slots.key', 'lists.slot')
    .select((eb) => eb.fn.coalesce('slots.user', 'lists.owner').as('account'))
    .where('lists.token_id', '=', param<string>('list'))
    .where('lists.owner', 'is not', null);
}

/** Whom a question is about: an account, or a list that stands for one. */
export type Subject =
  | { readonly kind: 'account'; readonly account: Address }
  | { readonly kind: 'list'; readonly list: string };

/** The account in question, inside a statement that is prepared for one kind of subject. */
export function subjectOf(db: ReadBuilder, kind: Subject['kind']) {
  return kind === 'account' ? param<string>('account') : accountOfList(db);
}

export function unknownList(list: string): ProblemError {
  return new ProblemError('unknown-list', `there is no list ${list}`);
}

/** Finds the account in question; an unknown list is a problem. */
export type AccountOf = (subject: Subject) => Promise<Address>;

export function createAccountOf(reader: Reader): AccountOf {
  const accounts = reader.prepareColumn<{ list: string }, Address>(accountOfList);
  return async (subject) => {
    if (subject.kind === 'account') return subject.account;
    const [account] = await accounts(subject);
    if (account === undefined) throw unknownList(subject.list);
    return account;
  };
}
