import { describe, expect, it } from 'vitest';
import { param } from '../../src/store/prepare.ts';
import type { Store } from '../../src/store/store.ts';
import { engines } from '../support/engines.ts';
import { useOwnDatabase } from './own-database.ts';

describe.each(engines)('questions that are put together on $name', (engine) => {
  const own = useOwnDatabase(engine);
  const prepareLogs = ({ reader }: Store) =>
    reader.prepareColumn<{ key: string }, number>((db) =>
      db.selectFrom('state').select('value').where('key', '=', param<'logs'>('key')),
    );

  it('are answered, each time with what was committed before', async () => {
    const store = await own.open();
    const logs = prepareLogs(store);
    for (const expected of [0, 1, 2]) {
      const answers: Promise<number[]>[] = [];
      store.reader.inSnapshot(() => {
        answers.push(logs({ key: 'logs' }), logs({ key: 'logs' }));
      });
      expect(await Promise.all(answers)).toEqual([[expected], [expected]]);
      await store.transaction((tx) => tx.count({ logs: 1 }));
    }
  });

  it('go on to be when one of them has failed', async () => {
    const store = await own.open();
    const logs = prepareLogs(store);
    expect(() =>
      store.reader.inSnapshot(() => {
        throw new Error('one has failed');
      }),
    ).toThrow('one has failed');
    let answer: Promise<number[]> | undefined;
    store.reader.inSnapshot(() => {
      answer = logs({ key: 'logs' });
    });
    expect(await answer).toEqual([0]);
  });

  it('are refused one by one when the store is closed', async () => {
    const store = await own.database.open();
    const logs = prepareLogs(store);
    await store.close();
    let answer: Promise<number[]> | undefined;
    store.reader.inSnapshot(() => {
      answer = logs({ key: 'logs' });
    });
    await expect(answer).rejects.toThrow();
  });
});
