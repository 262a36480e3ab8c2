import { describe, expect, it } from 'vitest';
import { param } from '../../src/store/params.ts';
import type { Row } from '../../src/store/schema.ts';
import { statement } from '../../src/store/statement.ts';
import { engines } from '../support/engines.ts';
import { useOwnDatabase } from './own-database.ts';

const readState = statement<{ key: Row<'state'>['key'] }, { value: number }>((db) =>
  db.selectFrom('state').select('value').where('key', '=', param<Row<'state'>['key']>('key')),
);

describe.each(engines)('Reader.all on $name', (engine) => {
  const own = useOwnDatabase(engine);

  it('reads the latest commit, whichever reader runs the statement', async () => {
    const store = await own.open();
    for (const expected of [0, 1, 2]) {
      for (const { all } of [store.reader, store.heavy.reader]) {
        expect(await all(readState, { key: 'logs' })).toEqual([{ value: expected }]);
      }
      await store.transaction((tx) => tx.count({ logs: 1 }));
    }
  });

  it('rejects, and does not throw, when the store is closed', async () => {
    const store = await own.database.open();
    await store.close();
    const result = store.reader.all(readState, { key: 'logs' });
    await expect(result).rejects.toThrow();
  });
});
