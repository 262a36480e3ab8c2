import { describe, expect, it } from 'vitest';
import { BusyError, createLimiter } from '../../src/remote/limiter.ts';

/** Work that ends when the test says so. */
function createWork() {
  const begun: string[] = [];
  const ends = new Map<string, { resolve: (value: string) => void; reject: (error: Error) => void }>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) => ends.set(name, { resolve, reject }));
  };
  return { begun, work, end: (name: string) => ends.get(name) };
}

describe('createLimiter', () => {
  it('starts work up to the concurrency limit, and queued work in FIFO order', async () => {
    const limiter = createLimiter('source', 2, 10);
    const { begun, work, end } = createWork();
    const all = ['a', 'b', 'c', 'd'].map((name) => limiter.run(work(name)));
    expect(begun).toEqual(['a', 'b']);
    end('b')?.resolve('b');
    expect(await all[1]).toBe('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    end('a')?.resolve('a');
    await all[0];
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    end('c')?.resolve('c');
    end('d')?.resolve('d');
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('rejects work with a BusyError, without starting it, if the queue is full', async () => {
    const limiter = createLimiter('source', 1, 1);
    const { begun, work, end } = createWork();
    const inside = limiter.run(work('a'));
    const waiting = limiter.run(work('b'));
    await expect(limiter.run(work('c'))).rejects.toThrow(BusyError);
    await expect(limiter.run(work('c'))).rejects.toMatchObject({ name: 'BusyError' });
    end('a')?.resolve('a');
    await inside;
    end('b')?.resolve('b');
    await waiting;
    expect(begun).toEqual(['a', 'b']);
  });

  it('rejects excess work if the queue length is 0, and accepts work again later', async () => {
    const limiter = createLimiter('source', 1, 0);
    const { work, end } = createWork();
    const first = limiter.run(work('a'));
    await expect(limiter.run(work('b'))).rejects.toThrow(BusyError);
    end('a')?.resolve('a');
    await first;
    const second = limiter.run(work('b'));
    end('b')?.resolve('b');
    expect(await second).toBe('b');
  });

  it('rejects with the error of failed work, and passes the slot on', async () => {
    const limiter = createLimiter('source', 1, 1);
    const { begun, work, end } = createWork();
    const failing = limiter.run(work('a'));
    const next = limiter.run(work('b'));
    end('a')?.reject(new Error('out of order'));
    await expect(failing).rejects.toThrow('out of order');
    expect(begun).toEqual(['a', 'b']);
    end('b')?.resolve('b');
    expect(await next).toBe('b');
  });

  it('passes the slot on if the work throws synchronously', async () => {
    const limiter = createLimiter('source', 1, 0);
    const broken = () => {
      throw new Error('never begun');
    };
    await expect(limiter.run(broken)).rejects.toThrow('never begun');
    expect(await limiter.run(async () => 'fine')).toBe('fine');
  });

  it('never exceeds the limit while a slot is passed on', async () => {
    const limiter = createLimiter('source', 2, 100);
    let inside = 0;
    const most: number[] = [];
    const work = async () => {
      inside += 1;
      most.push(inside);
      await Promise.resolve();
      inside -= 1;
    };
    const chain = async () => {
      for (let i = 0; i < 10; i++) await limiter.run(work);
    };
    await Promise.all(Array.from({ length: 7 }, chain));
    expect(most).toHaveLength(70);
    expect(Math.max(...most)).toBe(2);
  });

  it('gives the slot of work that takes longer than it may hold it to the next one', async () => {
    const limiter = createLimiter('source', 1, 1, { holdMs: 1 });
    const { work, end } = createWork();
    const slow = limiter.run(work('a'));
    const next = limiter.run(async () => 'b');
    expect(await next).toBe('b');
    // The slot is passed on once.
    const third = limiter.run(work('c'));
    end('a')?.resolve('a');
    expect(await slow).toBe('a');
    const fourth = limiter.run(work('d'));
    await expect(limiter.run(work('e'))).rejects.toThrow(BusyError);
    end('c')?.resolve('c');
    await third;
    end('d')?.resolve('d');
    await fourth;
  });
});
