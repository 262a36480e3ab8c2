import { type AliasedRawBuilder, type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Dialect } from '../store/dialect.ts';
import { rowCount } from '../store/prepare.ts';
import type { Row } from '../store/schema.ts';
import type { SyncReader } from '../store/store.ts';
import { joinEntries } from './join-entries.ts';
import type { BuildText } from './subject.ts';

// Accounts whose count of followers has changed wait until the indexer places them anew among the followers of others:
// there they stand under `accounts.popularity`, and belong under `accounts.followers`. What is looked up for an account
// is asked for as a value, not joined: PostgreSQL takes nearly all accounts to wait, and would begin at the other end.

/** The condition of the index `accounts_to_place`. */
export const WAITS = sql<SqlBool>`accounts.popularity <> accounts.followers`;

export function waitingAccounts(dialect: Dialect): AliasedRawBuilder<Row<'accounts'>, 'accounts'> {
  return dialect.indexedBy('accounts', 'accounts_to_place');
}

export function doesNotWait(dialect: Dialect, address: Expression<string>): RawBuilder<SqlBool> {
  return sql`(select 1 from ${waitingAccounts(dialect)} where accounts.address = ${address} and ${WAITS}) is null`;
}

export function createNobodyWaits(dialect: Dialect, direct: SyncReader): () => boolean {
  const findWaiting = direct.prepareColumn<object, number>((db) =>
    db.selectFrom(waitingAccounts(dialect)).select(sql.lit(1).as('one')).where(WAITS).limit(sql.lit(1)),
  );
  return () => findWaiting({}).length === 0;
}

/** Looks for accounts that wait only if there are any. One statement, for some may begin to between two. */
export function unlessSomeWait(dialect: Dialect, plain: BuildText, merged: BuildText): BuildText {
  return (db, account) => sql`case
    when exists (select 1 from ${waitingAccounts(dialect)} where ${WAITS}) then ${merged(db, account)}
    else ${plain(db, account)} end`;
}

/** Followers by how many follow them: those who do not wait along the index, and those who do merged with them. */
export function popularFollowers(dialect: Dialect, isByList: boolean): BuildText {
  return (db, account) => {
    const placed = db
      .selectFrom('followers')
      .select(['popularity', 'address', 'entry'])
      .where('target', '=', account)
      .where(doesNotWait(dialect, sql.ref('followers.address')))
      .$if(isByList, (query) => query.where('hidden', '=', sql.lit(0)));
    const entry = db
      .selectFrom('followers')
      .select('entry')
      .where('target', '=', account)
      .where('followers.popularity', '=', sql.ref<number>('accounts.popularity'))
      .where('followers.address', '=', sql.ref<string>('accounts.address'))
      .$if(isByList, (query) => query.where('hidden', '=', sql.lit(0)));
    const waiting = db
      .selectFrom(waitingAccounts(dialect))
      .select(['accounts.followers as popularity', 'accounts.address', sql<string>`${entry}`.as('entry')])
      .where(WAITS)
      .where(sql`${entry}`, 'is not', null);
    // PostgreSQL merges only what is in order by itself.
    return joinEntries(
      db
        .selectFrom(placed.orderBy('popularity', 'desc').orderBy('address').as('placed'))
        .selectAll()
        .unionAll(db.selectFrom(waiting.orderBy('popularity', 'desc').orderBy('address').as('waiting')).selectAll())
        .orderBy('popularity', 'desc')
        .orderBy('address')
        .limit(rowCount('limit'))
        .offset(rowCount('offset')),
    );
  };
}
