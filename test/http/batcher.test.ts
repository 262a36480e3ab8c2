import { describe, expect, it } from 'vitest';
import { createBatcher } from '../../src/http/batcher.ts';

const CONNECTED = { destroyed: false };

/** Records how many queries start in each snapshot. */
function recordSnapshots() {
  const sizes: number[] = [];
  let started = 0;
  const inSnapshot = (work: () => void) => {
    started = 0;
    work();
    sizes.push(started);
  };
  const query = async (value: number) => {
    started += 1;
    return value;
  };
  return { sizes, inSnapshot, query };
}

describe('createBatcher', () => {
  it('starts the queries of one event-loop turn in one snapshot and returns each result to its caller', async () => {
    const { sizes, inSnapshot, query } = recordSnapshots();
    const batch = createBatcher(inSnapshot);
    expect(await Promise.all([1, 2, 3].map((value) => batch(CONNECTED, () => query(value))))).toEqual([1, 2, 3]);
    expect(await batch(CONNECTED, () => query(4))).toBe(4);
    expect(sizes).toEqual([3, 1]);
  });

  it('starts at most 32 queries in one snapshot', async () => {
    const { sizes, inSnapshot, query } = recordSnapshots();
    const batch = createBatcher(inSnapshot);
    const values = Array.from({ length: 70 }, (_, i) => i);
    expect(await Promise.all(values.map((value) => batch(CONNECTED, () => query(value))))).toEqual(values);
    // More than three snapshots if the machine is slow: a batch is bounded in time as well.
    expect(Math.max(...sizes)).toBeLessThanOrEqual(32);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(70);
  });

  it('rejects only the query that fails', async () => {
    const { inSnapshot, query } = recordSnapshots();
    const batch = createBatcher(inSnapshot);
    const failing = batch(CONNECTED, () => Promise.reject(new Error('query failed')));
    const other = batch(CONNECTED, () => query(1));
    await expect(failing).rejects.toThrow('query failed');
    expect(await other).toBe(1);
  });

  it('rejects all queries of a snapshot that cannot be opened', async () => {
    const batch = createBatcher(() => {
      throw new Error('database is locked');
    });
    const results = await Promise.allSettled([batch(CONNECTED, async () => 1), batch(CONNECTED, async () => 2)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
