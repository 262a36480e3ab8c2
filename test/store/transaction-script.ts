import type { Kysely } from 'kysely';
import { blankList } from '../../src/ingest/register-rows.ts';
import type { Row } from '../../src/store/schema.ts';
import type { ReadBuilder, Transaction } from '../../src/store/store.ts';

export const list = (token_id: string, owner: string | null = null, slot: string | null = null): Row<'lists'> => ({
  ...blankList(token_id),
  owner,
  slot,
});
export const block = (chain_id: number, number: number, hash = '0x', time = 0): Row<'blocks'> => ({
  chain_id,
  number,
  hash,
  time,
});
export const lists = (tx: Transaction) => tx.query((db) => db.selectFrom('lists').selectAll().orderBy('token_id'));

/** Calls of every method of a transaction, to compare their results. */
export const SCRIPT: readonly (readonly [name: string, call: (tx: Transaction) => Promise<unknown>])[] = [
  ['insert', (tx) => tx.insert('lists', [list('1', 'a', 'x'), list('2', null), list('3', `it's "🦊"`)])],
  ['insert nothing', (tx) => tx.insert('lists', [])],
  ['insertNew', (tx) => tx.insertNew('lists', [list('1', 'other'), list('4'), list('4', 'again'), list('5')])],
  ['insertNew of known rows alone', (tx) => tx.insertNew('lists', [list('5'), list('4')])],
  ['insertNew of new rows alone', (tx) => tx.insertNew('blocks', [block(1, 1), block(1, 2), block(2, 1)])],
  ['insertNew of nothing', (tx) => tx.insertNew('blocks', [])],
  ['read', (tx) => tx.read('lists', ['token_id'], [['3'], ['1'], ['none'], ['1']])],
  ['read by a part of the key', (tx) => tx.read('blocks', ['chain_id'], [[1]])],
  ['read nothing', (tx) => tx.read('lists', ['token_id'], [])],
  ['read what is not there', (tx) => tx.read('lists', ['token_id'], [['none']])],
  ['upsert', (tx) => tx.upsert('lists', [list('2', 'new'), list('6', '', '')])],
  [
    'patch',
    (tx) =>
      tx.patch(
        'lists',
        ['owner'],
        [
          { token_id: '1', owner: null },
          { token_id: 'none', owner: 'none' },
        ],
      ),
  ],
  ['remove', (tx) => tx.remove('lists', [{ token_id: '5' }, { token_id: 'none' }])],
  ['query after that', lists],
  ['count', (tx) => tx.count({ logs: 5, lists: 2, accounts: -1 })],
  ['count nothing', (tx) => tx.count({})],
  ['read the largest number', (tx) => largest(tx)],
  ['raiseVersion', (tx) => tx.raiseVersion()],
  ['read the version', (tx) => tx.read('state', ['key'], [['data_version']])],
  ['execute', (tx) => tx.execute((db) => db.updateTable('blocks').set({ hash: 'set' }).where('number', '=', 1))],
  ['execute that deletes', (tx) => tx.execute((db) => db.deleteFrom('blocks').where('chain_id', '=', 2))],
  ['query with parameters', (tx) => tx.query((db) => db.selectFrom('blocks').selectAll().where('hash', '=', 'set'))],
  ['query that finds nothing', (tx) => tx.query((db) => db.selectFrom('blocks').selectAll().where('number', '>', 9))],
  ['query of some columns', (tx) => tx.query((db) => db.selectFrom('lists').select(['slot', 'token_id']).limit(2))],
  [
    'withoutIndexes',
    (tx) =>
      tx.withoutIndexes(['logs', 'edges'], async () => {
        await tx.insert('edges', [
          { target: 'b', time: 1, address: 'a', popularity: 0, hidden: 0, relation: 0, name: '', entry: '{}' },
          { target: 'b', time: 2, address: 'c', popularity: 3, hidden: 1, relation: 2, name: '', entry: '{}' },
        ]);
        return { indexes: await indexesOf(tx), found: await tx.read('edges', ['target'], [['b']]) };
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
