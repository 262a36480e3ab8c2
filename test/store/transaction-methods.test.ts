import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/store/schema.ts';
import type { Transaction } from '../../src/store/store.ts';
import { engines } from '../support/engines.ts';
import { useOwnDatabase } from './own-database.ts';
import { badge, block } from './transaction-script.ts';

/** Texts that unescaped SQL strings, array literals or patterns would misread. */
const SPECIAL_TEXTS = [
  `'; drop table logs; --`,
  `it's`,
  '"quoted"',
  'back\\slash\\',
  '\\x41',
  '{a,b}',
  '{"a":[1]}',
  'NULL',
  '$1',
  '?',
  '%_',
  '',
  '\n\r\t',
  'é',
  'e\u0301',
  '🦊👩‍👩‍👧',
  '\u202eright to left',
  '\u{10ffff}',
];
const LARGEST = Number.MAX_SAFE_INTEGER;
/** More rows than one statement takes. */
const MANY = 12_001;

const log = (subject: number, log_index: number, payload = ''): Row<'logs'> => ({
  subject,
  part: -1,
  opcode: 0,
  block_number: 1,
  log_index,
  chain_id: 1,
  block_time: 0,
  payload,
});
const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

describe.each(engines)('the methods of a transaction on $name', (engine) => {
  const own = useOwnDatabase(engine);
  /** Runs `work` in a transaction, and sorts the rows that it returns. */
  const inTransaction = async <T>(work: (tx: Transaction) => Promise<T[]>): Promise<T[]> => {
    const store = await own.open();
    return (await store.transaction(work)).toSorted(byText);
  };
  const badges = (tx: Transaction) => tx.query((db) => db.selectFrom('badges').selectAll());
  const blocks = (tx: Transaction) => tx.query((db) => db.selectFrom('blocks').selectAll());

  it('read returns the rows whose columns equal one of the keys, and no others', async () => {
    const found = await inTransaction(async (tx) => {
      await tx.insertNew('blocks', [block(1, 1), block(1, 2), block(2, 1), block(2, 2)]);
      return tx.read(
        'blocks',
        ['chain_id', 'number'],
        [
          [1, 2],
          [2, 1],
          [3, 3],
        ],
      );
    });
    expect(found).toEqual([block(1, 2), block(2, 1)]);
  });

  it('read returns all rows with the same prefix of the key', async () => {
    const found = await inTransaction(async (tx) => {
      await tx.insertNew('blocks', [block(1, 1), block(1, 2), block(2, 1)]);
      return tx.read('blocks', ['chain_id'], [[1]]);
    });
    expect(found).toEqual([block(1, 1), block(1, 2)]);
  });

  it('read returns no rows for an empty list of keys, nor for null', async () => {
    const found = await inTransaction(async (tx) => {
      await tx.insertNew('badges', [badge('1')]);
      return [...(await tx.read('badges', ['address'], [])), ...(await tx.read('badges', ['collection'], [[null]]))];
    });
    expect(found).toEqual([]);
  });

  it('read returns the one row of each key that has special characters', async () => {
    const rows = SPECIAL_TEXTS.map((text) => badge(text, text));
    const store = await own.open();
    const found = await store.transaction(async (tx) => {
      await tx.insertNew('badges', rows);
      const results: Row<'badges'>[][] = [];
      for (const text of SPECIAL_TEXTS) results.push(await tx.read('badges', ['address'], [[text]]));
      return results;
    });
    expect(found).toEqual(rows.map((row) => [row]));
  });

  it('read returns integers up to the largest safe one exactly', async () => {
    const written = [block(1, LARGEST), block(LARGEST, 1), block(2, -1, '0x', -LARGEST)];
    const found = await inTransaction(async (tx) => {
      await tx.insertNew('blocks', written);
      return tx.read('blocks', ['chain_id'], [[1], [2], [LARGEST]]);
    });
    expect(new Set(found)).toEqual(new Set(written));
  });

  it('insertNew returns the rows that it inserted', async () => {
    const added = await inTransaction(async (tx) => {
      await tx.insertNew('badges', [badge('1', 'known')]);
      return tx.insertNew('badges', [badge('1', 'other'), badge('2'), badge('3')]);
    });
    expect(added).toEqual([badge('2'), badge('3')]);
  });

  it('insertNew leaves existing rows unchanged', async () => {
    const found = await inTransaction(async (tx) => {
      await tx.insertNew('badges', [badge('1', 'known')]);
      await tx.insertNew('badges', [badge('1', 'other')]);
      return badges(tx);
    });
    expect(found).toEqual([badge('1', 'known')]);
  });

  it('insertNew inserts the first of two rows with the same key', async () => {
    const added = await inTransaction((tx) => tx.insertNew('badges', [badge('1', 'first'), badge('1', 'second')]));
    expect(added).toEqual([badge('1', 'first')]);
  });

  it('insertNew skips a log whose position is known, even if its content differs', async () => {
    const added = await inTransaction(async (tx) => {
      await tx.insertNew('logs', [log(1, 7)]);
      return tx.insertNew('logs', [log(2, 7), log(2, 8)]);
    });
    expect(added).toEqual([log(2, 8)]);
  });

  it('insertNew inserts more rows than one statement takes, with special characters', async () => {
    const rows = Array.from({ length: MANY }, (_, i) => badge(String(i), SPECIAL_TEXTS[i % SPECIAL_TEXTS.length]));
    const store = await own.open();
    const added = await store.transaction((tx) => tx.insertNew('badges', rows));
    expect(added.toSorted(byText)).toEqual(rows.toSorted(byText));
  });

  /** Several batches of the SQLite inserts, and a remainder. */
  const numbers = Array.from({ length: 205 }, (_, i) => i);
  const badgesOf = (some: readonly number[], collection: string) => some.map((i) => badge(String(i), collection));

  it('insertNew inserts the new rows of several batches that also contain known and duplicate rows', async () => {
    const isKnown = (number: number) => number === 0 || number === 130 || number === 204;
    const rows = numbers.flatMap((i) => [badge(String(i), 'new'), ...(i === 61 ? [badge(String(i), 'again')] : [])]);
    const store = await own.open();
    const { added, found } = await store.transaction(async (tx) => {
      await tx.insert('badges', badgesOf(numbers.filter(isKnown), 'known'));
      return { added: await tx.insertNew('badges', rows), found: await badges(tx) };
    });
    const fresh = numbers.filter((i) => !isKnown(i));
    expect(added.toSorted(byText)).toEqual(badgesOf(fresh, 'new').toSorted(byText));
    const stored = [...badgesOf(fresh, 'new'), ...badgesOf(numbers.filter(isKnown), 'known')];
    expect(found.toSorted(byText)).toEqual(stored.toSorted(byText));
  });

  it('insertNew inserts none of many rows if one of them violates a constraint', async () => {
    const store = await own.open();
    const rows = numbers.map((i) => block(1, i, i === 7 ? (null as unknown as string) : 'hash'));
    await expect(store.transaction((tx) => tx.insertNew('blocks', rows))).rejects.toThrow(/null/i);
    expect(await store.transaction(blocks)).toEqual([]);
  });

  it('insert writes more rows than one statement takes, with special characters and null', async () => {
    const texts = [...SPECIAL_TEXTS, '\\N', '\\.', null];
    const rows = Array.from({ length: MANY }, (_, i) => badge(`${i} ${texts[i % 7]}`, texts[i % texts.length]));
    const found = await inTransaction(async (tx) => {
      await tx.insert('badges', rows);
      return badges(tx);
    });
    expect(found).toEqual(rows.toSorted(byText));
  });

  it('insert inserts none of many rows if one of them exists, and the next transaction can write', async () => {
    const store = await own.open();
    await store.transaction((tx) => tx.insert('badges', [badge('130', 'known')]));
    await expect(store.transaction((tx) => tx.insert('badges', badgesOf(numbers, 'new')))).rejects.toThrow(/unique/i);
    const found = await inTransaction(async (tx) => {
      await tx.insert('badges', badgesOf(numbers.slice(0, 130), 'new'));
      return badges(tx);
    });
    expect(found).toEqual([...badgesOf(numbers.slice(0, 130), 'new'), badge('130', 'known')].toSorted(byText));
  });

  it('insert and upsert write each of many rows once', async () => {
    const later = numbers.map((i) => 100 + i);
    const found = await inTransaction(async (tx) => {
      await tx.insert('badges', badgesOf(numbers, 'old'));
      await tx.upsert('badges', badgesOf(later, 'new'));
      return badges(tx);
    });
    const expected = [...badgesOf(numbers.slice(0, 100), 'old'), ...badgesOf(later, 'new')];
    expect(found).toEqual(expected.toSorted(byText));
  });

  it('upsert replaces the rows with the same key and inserts the others', async () => {
    const found = await inTransaction(async (tx) => {
      await tx.insertNew('badges', [badge('1', 'old', 7), badge('2', 'kept')]);
      await tx.upsert('badges', [badge('1', `new '"\\`), badge('3', '🦊')]);
      await tx.upsert('badges', []);
      return badges(tx);
    });
    expect(found).toEqual([badge('1', `new '"\\`), badge('2', 'kept'), badge('3', '🦊')]);
  });

  it('patch updates only the given columns of the given rows', async () => {
    const found = await inTransaction(async (tx) => {
      await tx.insertNew('blocks', [block(1, 1, 'a', 5), block(1, 2, 'b', 6), block(2, 1, 'c', 7)]);
      await tx.patch(
        'blocks',
        ['hash'],
        [
          { chain_id: 1, number: 1, hash: `'; drop table logs; --`, time: 99 },
          { chain_id: 2, number: 1, hash: '🦊' },
        ],
      );
      await tx.patch('blocks', ['time'], []);
      return blocks(tx);
    });
    expect(found).toEqual([block(1, 1, `'; drop table logs; --`, 5), block(1, 2, 'b', 6), block(2, 1, '🦊', 7)]);
  });

  it('patch inserts no rows, and can set a column to null', async () => {
    const found = await inTransaction(async (tx) => {
      await tx.insertNew('badges', [badge('1', 'held', 7)]);
      await tx.patch('badges', ['collection'], [badge('1', null), badge('2', 'none')]);
      return badges(tx);
    });
    expect(found).toEqual([badge('1', null, 7)]);
  });

  it('remove deletes only the given rows, and ignores those that do not exist', async () => {
    const found = await inTransaction(async (tx) => {
      await tx.insertNew('blocks', [block(1, 1), block(1, 2), block(2, 1)]);
      await tx.remove('blocks', [{ chain_id: 1, number: 1 }, block(2, 1, 'another hash'), { chain_id: 3, number: 3 }]);
      await tx.remove('blocks', []);
      return blocks(tx);
    });
    expect(found).toEqual([block(1, 2)]);
  });

  it('remove deletes only the rows whose keys have the given special characters', async () => {
    const found = await inTransaction(async (tx) => {
      await tx.insertNew(
        'badges',
        [...SPECIAL_TEXTS, 'plain'].map((text) => badge(text)),
      );
      await tx.remove(
        'badges',
        SPECIAL_TEXTS.map((text) => badge(text)),
      );
      return badges(tx);
    });
    expect(found).toEqual([badge('plain')]);
  });

  it('count adds only to the given values of the state', async () => {
    const state = await inTransaction(async (tx) => {
      await tx.count({ logs: 5, lists: 2 });
      await tx.count({ logs: -3, accounts: 0 });
      await tx.count({});
      return tx.query((db) => db.selectFrom('state').selectAll().where('value', '<>', 0));
    });
    expect(state.filter(({ key }) => !key.startsWith('version_'))).toEqual([
      { key: 'lists', value: 2 },
      { key: 'logs', value: 2 },
    ]);
  });
});
