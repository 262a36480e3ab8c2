import { type Compilable, type Expression, type RawBuilder, sql } from 'kysely';
import { param } from '../store/prepare.ts';
import type { ReadBuilder, Reader } from '../store/store.ts';
import { type AccountRef, firstOf, type RefKind, selectAccount } from './account-ref.ts';
import { getOrCreate } from './get-or-create.ts';

/** What a reference resolves to: its account, and the slot whose records lookups read. */
export interface Subject {
  readonly kind: RefKind;
  readonly account: Expression<string>;
  /** The id of the slot of the list, or of the active slot of the account; null if there is none. */
  readonly slot: RawBuilder<number | null>;
  /** The list, or the account's primary list; null if there is none. */
  readonly list: RawBuilder<string | null>;
}

function subjectOf(kind: RefKind, account: Expression<string>): Subject {
  if (kind === 'list') {
    const list = param<string | null>('list');
    return { kind, account, slot: slotId(sql`select slot from lists where token_id = ${list}`), list };
  }
  return { kind, account, slot: activeSlot(account), list: primaryList(account) };
}

/** The valid primary list of an account; null if it has none. */
export function primaryList(account: Expression<string>): RawBuilder<string | null> {
  return sql`(select active_list from accounts where address = ${account})`;
}

/** The id of an account's active slot; null if it has none. */
export function activeSlot(account: Expression<string>): RawBuilder<number | null> {
  return slotId(sql`select active_slot from accounts where address = ${account}`);
}

function slotId(selectKey: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql`(select id from subjects where key = (${selectKey}))`;
}

/** The columns of a row about a reference. */
type Columns<R> = { readonly [C in keyof R]: RawBuilder<R[C]> };

/**
 * Prepares a statement that resolves a reference and selects one row of expressions about it. The statement is one
 * snapshot, and one round trip. The returned function rejects with a `ProblemError` for an unknown list or name.
 */
export function prepareForRef<P extends object, R extends object>(
  reader: Reader,
  build: (db: ReadBuilder, subject: Subject) => Columns<R>,
): (ref: AccountRef, params: P) => Promise<R> {
  const prepare = (kind: RefKind) =>
    reader.prepare<object, R>((db) => {
      const account: Expression<string> = kind === 'account' ? param('account') : sql.ref('ref.account');
      const columns = Object.entries<RawBuilder<unknown>>(build(db, subjectOf(kind, account)));
      const selected = columns.map(([name, value]) => value.as(name));
      const query =
        kind === 'account'
          ? db.selectNoFrom(selected)
          : db.selectFrom(selectAccount(reader.dialect, db, kind).as('ref')).select(selected);
      // Safe: the columns of the query are those of the row.
      return query as unknown as Compilable<R>;
    });
  const prepared = new Map<RefKind, ReturnType<typeof prepare>>();
  return async (ref, params) => {
    const query = getOrCreate(prepared, ref.kind, () => prepare(ref.kind));
    const { account, list, name } = ref;
    return firstOf(await query({ ...params, account, list, name }), ref);
  };
}
