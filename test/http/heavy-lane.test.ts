import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createHeavyLane, RequestQueue } from '../../src/http/server/heavy-lane.ts';

const CONNECTED = { destroyed: false };
const GONE = { destroyed: true };

describe('RequestQueue', () => {
  it('returns requests in the order in which they came', async () => {
    const queue = new RequestQueue(10);
    const results = [1, 2, 3].map((value) => queue.add(CONNECTED, async () => value));
    for (let next = queue.take(); next !== undefined; next = queue.take()) await next.start();
    expect(await Promise.all(results)).toEqual([1, 2, 3]);
  });

  it('drops a request whose client has closed the connection', async () => {
    const queue = new RequestQueue(10);
    const dropped = queue.add(GONE, async () => 1);
    const kept = queue.add(CONNECTED, async () => 2);
    await queue.take()?.start();
    await expect(dropped).rejects.toMatchObject({ code: 'client-closed-request' });
    expect(await kept).toBe(2);
  });

  it('rejects a request that does not fit', async () => {
    const queue = new RequestQueue(1);
    const first = queue.add(CONNECTED, async () => 1);
    const rejected = { code: 'overloaded', status: 503, headers: { 'retry-after': '1' } };
    await expect(queue.add(CONNECTED, async () => 2)).rejects.toMatchObject(rejected);
    await queue.take()?.start();
    expect(await first).toBe(1);
  });

  it('rejects a request that has waited too long', async () => {
    const queue = new RequestQueue(1);
    vi.spyOn(performance, 'now').mockReturnValueOnce(performance.now() - 60_000);
    const old = queue.add(CONNECTED, async () => 1);
    vi.restoreAllMocks();
    const rejected = expect(old).rejects.toMatchObject({ code: 'overloaded' });
    expect(queue.take()).toBeUndefined();
    await rejected;
  });
});

describe('createHeavyLane', () => {
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
