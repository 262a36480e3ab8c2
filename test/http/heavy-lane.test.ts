import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createHeavyLane } from '../../src/http/server/heavy-lane.ts';

const CONNECTED = { destroyed: false };
const GONE = { destroyed: true };

describe('createHeavyLane', () => {
  /** A lane of one, with a query that runs until `end` is called. */
  function occupiedLane() {
    const { run } = createHeavyLane(1);
    let end = () => {};
    void run(CONNECTED, () => new Promise<void>((resolve) => (end = resolve)));
    return { run, end: () => end() };
  }

  it('runs queries in the order in which they came', async () => {
    const { run, end } = occupiedLane();
    const started: number[] = [];
    const results = [1, 2, 3].map((value) => run(CONNECTED, async () => started.push(value)));
    end();
    await Promise.all(results);
    expect(started).toEqual([1, 2, 3]);
  });

  it('drops a request whose client has closed the connection', async () => {
    const { run, end } = occupiedLane();
    const dropped = expect(run(GONE, async () => 1)).rejects.toMatchObject({ code: 'client-closed-request' });
    const kept = run(CONNECTED, async () => 2);
    end();
    await dropped;
    expect(await kept).toBe(2);
  });

  it('rejects a request that does not fit', async () => {
    const { run, end } = occupiedLane();
    const waiting = Array.from({ length: 100 }, (_, i) => run(CONNECTED, async () => i));
    const rejected = { code: 'overloaded', status: 503, headers: { 'retry-after': '1' } };
    await expect(run(CONNECTED, async () => 2)).rejects.toMatchObject(rejected);
    end();
    expect(await Promise.all(waiting)).toHaveLength(100);
  });

  it('rejects a request that has waited too long', async () => {
    const { run, end } = occupiedLane();
    vi.spyOn(performance, 'now').mockReturnValueOnce(performance.now() - 60_000);
    const rejected = expect(run(CONNECTED, async () => 1)).rejects.toMatchObject({ code: 'overloaded' });
    vi.restoreAllMocks();
    end();
    await rejected;
  });

  it('starts no more queries in one turn of the event loop than may run at once', async () => {
    const { run } = createHeavyLane(2);
    let started = 0;
    const results = [1, 2, 3, 4, 5].map(() => run(CONNECTED, async () => ++started));
    await nextTurn();
    expect(started).toBe(2);
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5]);
  });

  it('runs no more queries at once than it may', async () => {
    const { run } = createHeavyLane(2);
    let running = 0;
    let most = 0;
    const query = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    await Promise.all(Array.from({ length: 10 }, () => run(CONNECTED, query)));
    expect(most).toBe(2);
  });

  it('goes on after a query that fails', async () => {
    const { run } = createHeavyLane(1);
    const failed = run(CONNECTED, () => Promise.reject(new Error('query failed')));
    const next = run(CONNECTED, async () => 1);
    await expect(failed).rejects.toThrow('query failed');
    expect(await next).toBe(1);
  });
});
