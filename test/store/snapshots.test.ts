import { describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { useOwnDatabase } from './own-database.ts';
import { BADGES, badge } from './transaction-script.ts';

describe.each(engines)('a snapshot on $name', (engine) => {
  const own = useOwnDatabase(engine);
  const add = (store: Awaited<ReturnType<typeof own.open>>, id: string) =>
    store.transaction((tx) => tx.insert('badges', [badge(id)]));

  it('shows all statements the commit that the first one read, while others are made', async () => {
    const [store, writer] = [await own.open(), await own.open()];
    await add(writer, '1');
    const sizes = await store.snapshots.snapshot(async (reader) => {
      const before = await reader.all(BADGES, {});
      await add(writer, '2');
      const beside = await store.heavy.reader.all(BADGES, {});
      return [before.length, (await reader.all(BADGES, {})).length, beside.length];
    });
    expect(sizes).toEqual([1, 1, 2]);
    expect(await store.snapshots.snapshot((reader) => reader.all(BADGES, {}))).toHaveLength(2);
  });

  it('of its own each, for several at once', async () => {
    const [store, writer] = [await own.open(), await own.open()];
    const counts = await store.snapshots.snapshot(async (first) => {
      await first.all(BADGES, {});
      await add(writer, '1');
      const second = await store.snapshots.snapshot(async (reader) => (await reader.all(BADGES, {})).length);
      return [(await first.all(BADGES, {})).length, second];
    });
    expect(counts).toEqual([0, 1]);
  });

  it('rejects with the error of its work, and the next one is not affected', async () => {
    const [store, writer] = [await own.open(), await own.open()];
    for (let i = 0; i < 10; i++) {
      const failing = store.snapshots.snapshot(async (reader) => {
        await reader.all(BADGES, {});
        throw new Error('failed');
      });
      await expect(failing).rejects.toThrow('failed');
      await add(writer, `${i}`);
      expect(await store.snapshots.snapshot((reader) => reader.all(BADGES, {}))).toHaveLength(i + 1);
    }
  });
});
