import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFairQueue, type FairQueueOptions, type Refusal } from '../../src/async/fair-queue.ts';

class Refused extends Error {
  constructor(reason: Refusal) {
    super(reason);
  }
}

/** A queue, and work that ends when the test says so. */
function setUp(changes: Partial<FairQueueOptions> = {}) {
  const queue = createFairQueue({
    ...{ concurrency: 1, maxWaiting: 100, maxWaitMs: 60_000, refuse: (reason) => new Refused(reason) },
    ...changes,
  });
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const add = (client: string, name: string, isGone?: () => boolean) => {
    const end = Promise.withResolvers<string>();
    ends.set(name, end);
    const work = () => {
      started.push(name);
      return end.promise;
    };
    const result = queue.run(client, work, isGone);
    // What a test does not await may be refused.
    result.catch(() => undefined);
    return result;
  };
  /** Ends started work one by one until nothing runs. */
  const drain = async () => {
    for (let i = 0; i < started.length; i++) {
      ends.get(started[i] ?? '')?.resolve('done');
      await nextTurn();
      await nextTurn();
    }
  };
  return { queue, started, add, drain, end: (name: string) => ends.get(name) };
}

describe('createFairQueue', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('starts the work of one client in the order in which it came, as much at once as it may', async () => {
    const { started, add, drain, queue } = setUp({ concurrency: 2 });
    for (const name of ['1', '2', '3', '4', '5']) add('a', name);
    expect(started).toEqual(['1', '2']);
    expect([queue.running(), queue.waiting()]).toEqual([2, 3]);
    await drain();
    expect(started).toEqual(['1', '2', '3', '4', '5']);
    expect([queue.running(), queue.waiting()]).toEqual([0, 0]);
  });

  it('runs work in the context of its caller, also when other work makes room for it', async () => {
    const { queue } = setUp();
    const context = new AsyncLocalStorage<string>();
    const run = (client: string) =>
      context.run(client, () =>
        queue.run(client, async () => {
          await nextTurn();
          return context.getStore();
        }),
      );
    expect(await Promise.all(['a', 'b', 'c'].map(run))).toEqual(['a', 'b', 'c']);
  });

  it('lets clients take turns, however much work one of them has', async () => {
    const { started, add, drain } = setUp();
    for (const name of ['a1', 'a2', 'a3', 'a4']) add('a', name);
    for (const name of ['b1', 'b2']) add('b', name);
    add('c', 'c1');
    await drain();
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('prefers the client with the least running work', async () => {
    const { started, add, end } = setUp({ concurrency: 3 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) add('a', name);
    add('b', 'b1');
    end('a1')?.resolve('done');
    await vi.waitFor(() => expect(started).toEqual(['a1', 'a2', 'a3', 'b1']));
  });

  it('starts no more work in one turn of the event loop than may run at once', async () => {
    const { queue } = setUp({ concurrency: 2 });
    let count = 0;
    const results = [1, 2, 3, 4, 5].map(() => queue.run('a', async () => ++count));
    await nextTurn();
    expect(count).toBe(2);
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5]);
  });

  it('refuses work of the client that has most of a full queue', async () => {
    const { started, add, drain } = setUp({ maxWaiting: 3 });
    add('a', 'a1');
    const waiting = ['a2', 'a3', 'a4'].map((name) => add('a', name));
    await expect(add('a', 'a5')).rejects.toThrow('full');
    const other = add('b', 'b1');
    await expect(waiting[2]).rejects.toThrow('full');
    await drain();
    expect(await other).toBe('done');
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('lets a client keep its place in the order when it loses work', async () => {
    const { started, add, drain } = setUp({ maxWaiting: 4 });
    add('x', 'x1');
    for (const name of ['a1', 'a2', 'a3']) add('a', name);
    add('b', 'b1');
    add('c', 'c1');
    await drain();
    expect(started).toEqual(['x1', 'a1', 'b1', 'c1', 'a2']);
  });

  it('serves one honest client beside five that fill the queue', async () => {
    const { started, add, drain } = setUp({ concurrency: 2, maxWaiting: 50 });
    for (let i = 0; i < 100; i++) for (const client of ['h1', 'h2', 'h3', 'h4', 'h5']) add(client, `${client} ${i}`);
    const honest = [add('honest', 'one'), add('honest', 'two')];
    await drain();
    expect(await Promise.all(honest)).toEqual(['done', 'done']);
    expect(started.indexOf('one')).toBeLessThan(8);
    expect(started.indexOf('two')).toBeLessThan(20);
  });

  it('refuses excess work if nothing may wait, and takes work again later', async () => {
    const { add, end } = setUp({ maxWaiting: 0 });
    const first = add('a', '1');
    await expect(add('a', '2')).rejects.toThrow('full');
    end('1')?.resolve('done');
    await first;
    await nextTurn();
    const third = add('a', '3');
    end('3')?.resolve('done');
    expect(await third).toBe('done');
  });

  it('refuses work that has waited too long', async () => {
    const { add, end } = setUp({ maxWaitMs: 10_000 });
    add('a', '1');
    const start = performance.now();
    vi.spyOn(performance, 'now').mockReturnValueOnce(start - 60_000);
    const late = add('a', '2');
    const next = add('a', '3');
    end('1')?.resolve('done');
    await expect(late).rejects.toThrow('late');
    end('3')?.resolve('done');
    expect(await next).toBe('done');
  });

  it('skips work whose client is gone', async () => {
    const { started, add, drain } = setUp();
    add('a', '1');
    const gone = add('a', '2', () => true);
    add('a', '3');
    await drain();
    await expect(gone).rejects.toThrow('gone');
    expect(started).toEqual(['1', '3']);
  });

  it('rejects with the error of failed work, also of work that throws at once, and goes on', async () => {
    const { queue } = setUp();
    const failed = queue.run('a', () => Promise.reject(new Error('out of order')));
    const broken = queue.run('a', () => {
      throw new Error('never begun');
    });
    const next = queue.run('a', async () => 'fine');
    await expect(failed).rejects.toThrow('out of order');
    await expect(broken).rejects.toThrow('never begun');
    expect(await next).toBe('fine');
  });

  it('gives the slot of work that holds it for too long to other work, once', async () => {
    const { queue, started, add, end } = setUp({ holdMs: 1 });
    const slow = add('a', '1');
    add('a', '2');
    await vi.waitFor(() => expect(started).toEqual(['1', '2']));
    await vi.waitFor(() => expect(queue.running()).toBe(0));
    end('1')?.resolve('done');
    expect(await slow).toBe('done');
    expect(queue.running()).toBe(0);
  });

  it('starts nothing during a delay, and then the client whose turn it is', async () => {
    let delay = 1;
    const { started, add, drain } = setUp({ concurrency: 8, delayMs: () => delay });
    for (const name of ['a1', 'a2']) add('a', name);
    add('b', 'b1');
    await nextTurn();
    expect(started).toEqual([]);
    delay = 0;
    await vi.waitFor(() => expect(started).toEqual(['a1', 'b1', 'a2']));
    await drain();
  });

  it('refuses work at once if the delay is longer than it may wait', async () => {
    const { add } = setUp({ maxWaitMs: 1_000, delayMs: () => 1_001 });
    await expect(add('a', '1')).rejects.toThrow('late');
  });
});
