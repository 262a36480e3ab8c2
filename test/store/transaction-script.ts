import type { Kysely } from 'kysely';
import type { ReadBuilder } from '../../src/store/dialect.ts';
import type { Row } from '../../src/store/schema.ts';
import { statement } from '../../src/store/statement.ts';
import type { Transaction } from '../../src/store/store.ts';

/** A row whose key is a text, and one of whose columns can be null. */
export const badge = (address: string, collection: string | null = null, checked_at = 0): Row<'badges'> => ({
  address,
  event_id: '1',
  collection,
  checked_at,
});
export const block = (chain_id: number, number: number, hash = '0x', time = 0): Row<'blocks'> => ({
  chain_id,
  number,
  hash,
  time,
});
export const badges = (tx: Transaction) => tx.query((db) => db.selectFrom('badges').selectAll().orderBy('address'));

export const BADGES = statement<object, Row<'badges'>>((db) => db.selectFrom('badges').selectAll().orderBy('address'));

/** Calls of every method of a transaction, to compare their results. */
export const SCRIPT: readonly (readonly [name: string, call: (tx: Transaction) => Promise<unknown>])[] = [
  ['insert', (tx) => tx.insert('badges', [badge('1', 'a', 7), badge('2', null), badge('3', `it's "🦊"`)])],
  ['insert nothing', (tx) => tx.insert('badges', [])],
  ['insertNew', (tx) => tx.insertNew('badges', [badge('1', 'other'), badge('4'), badge('4', 'again'), badge('5')])],
  ['insertNew of known rows alone', (tx) => tx.insertNew('badges', [badge('5'), badge('4')])],
  ['insertNew of new rows alone', (tx) => tx.insertNew('blocks', [block(1, 1), block(1, 2), block(2, 1)])],
  ['insertNew of nothing', (tx) => tx.insertNew('blocks', [])],
  ['read', (tx) => tx.read('badges', ['address'], [['3'], ['1'], ['none'], ['1']])],
  ['read by a part of the key', (tx) => tx.read('blocks', ['chain_id'], [[1]])],
  ['read nothing', (tx) => tx.read('badges', ['address'], [])],
  ['read what is not there', (tx) => tx.read('badges', ['address'], [['none']])],
  ['upsert', (tx) => tx.upsert('badges', [badge('2', 'new'), badge('6', '')])],
  ['patch', (tx) => tx.patch('badges', ['collection'], [badge('1', null), badge('none', 'none')])],
  ['remove', (tx) => tx.remove('badges', [badge('5'), badge('none')])],
  ['query after that', badges],
  ['count', (tx) => tx.count({ logs: 5, lists: 2, accounts: -1 })],
  ['count nothing', (tx) => tx.count({})],
  ['read the largest number', (tx) => largest(tx)],
  ['execute', (tx) => tx.execute((db) => db.updateTable('blocks').set({ hash: 'set' }).where('number', '=', 1))],
  ['execute that deletes', (tx) => tx.execute((db) => db.deleteFrom('blocks').where('chain_id', '=', 2))],
  ['query with parameters', (tx) => tx.query((db) => db.selectFrom('blocks').selectAll().where('hash', '=', 'set'))],
  ['query that finds nothing', (tx) => tx.query((db) => db.selectFrom('blocks').selectAll().where('number', '>', 9))],
  [
    'query of some columns',
    (tx) => tx.query((db) => db.selectFrom('badges').select(['collection', 'address']).limit(2)),
  ],
  [
    'withoutIndexes',
    (tx) =>
      tx.withoutIndexes(['logs', 'edges'], async () => {
        await tx.insert('edges', [
          {
            target: 2,
            time: 1,
            address_key: `0x${'ab'.repeat(20)}`,
            source: 1,
            relation: 0,
            back: 0,
            popularity: 0,
            tagged: 0,
          },
          {
            target: 2,
            time: 2,
            address_key: `0x${'00'.repeat(20)}`,
            source: 3,
            relation: 2,
            back: 1,
            popularity: 3,
            tagged: 1,
          },
        ]);
        return { indexes: await indexesOf(tx), found: await tx.read('edges', ['target'], [[2]]) };
      }),
  ],
  ['the indexes after that', indexesOf],
];

async function largest(tx: Transaction) {
  await tx.insert('counters', [{ name: 'n', label: 'l', value: Number.MAX_SAFE_INTEGER }]);
  return tx.read('counters', ['value'], [[Number.MAX_SAFE_INTEGER]]);
}

export async function indexesOf(tx: Transaction): Promise<unknown[]> {
  // Safe: SQLite has this table, though `Tables` does not.
  const anyTable = (db: ReadBuilder) => db as unknown as Kysely<Record<string, Record<string, string>>>;
  return tx.query((db) =>
    anyTable(db)
      .selectFrom('sqlite_schema')
      .select(['name', 'sql'])
      .where('type', '=', 'index')
      .where('tbl_name', 'in', ['logs', 'edges'])
      .where('sql', 'is not', null)
      .orderBy('name'),
  );
}
