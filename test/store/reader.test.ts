import { describe, expect, it } from 'vitest';
import { param } from '../../src/store/prepare.ts';
import type { Store } from '../../src/store/store.ts';
import { engines } from '../support/engines.ts';
import { useOwnDatabase } from './own-database.ts';

describe.each(engines)('Reader.inSnapshot on $name', (engine) => {
  const own = useOwnDatabase(engine);
  const prepareLogs = ({ reader }: Store) =>
    reader.prepareColumn<{ key: string }, number>((db) =>
      db.selectFrom('state').select('value').where('key', '=', param<'logs'>('key')),
    );

  it('runs every query on the latest commit before the snapshot', async () => {
    const store = await own.open();
    const logs = prepareLogs(store);
    for (const expected of [0, 1, 2]) {
      const results: Promise<number[]>[] = [];
      store.reader.inSnapshot(() => {
        results.push(logs({ key: 'logs' }), logs({ key: 'logs' }));
      });
      expect(await Promise.all(results)).toEqual([[expected], [expected]]);
      await store.transaction((tx) => tx.count({ logs: 1 }));
    }
  });

  it('throws the error of its callback and works again afterwards', async () => {
    const store = await own.open();
    const logs = prepareLogs(store);
    expect(() =>
      store.reader.inSnapshot(() => {
        throw new Error('callback failed');
      }),
    ).toThrow('callback failed');
    let result: Promise<number[]> | undefined;
    store.reader.inSnapshot(() => {
      result = logs({ key: 'logs' });
    });
    expect(await result).toEqual([0]);
  });

  it('rejects each query, and does not throw, when the store is closed', async () => {
    const store = await own.database.open();
    const logs = prepareLogs(store);
    await store.close();
    let result: Promise<number[]> | undefined;
    store.reader.inSnapshot(() => {
      result = logs({ key: 'logs' });
    });
    await expect(result).rejects.toThrow();
  });
});
