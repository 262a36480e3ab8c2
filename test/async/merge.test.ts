import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { merge } from '../../src/async/merge.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Lets all pending callbacks run. */
const settle = () => new Promise(setImmediate);

async function* count(name: string, to: number): AsyncGenerator<string> {
  for (let i = 1; i <= to; i++) yield `${name}${i}`;
}

/** A generator that yields one value and then waits until it is stopped. */
function createWaiting(name: string) {
  const stopped = new AbortController();
  const log: string[] = [];
  async function* generate(): AsyncGenerator<string> {
    try {
      yield name;
      await new Promise((_, reject) => stopped.signal.addEventListener('abort', () => reject(new Error('stopped'))));
    } finally {
      log.push(`${name} closed`);
    }
  }
  return { generator: generate(), stop: () => stopped.abort(), log };
}

describe('merge', () => {
  it('yields every value of every generator, each in its own order', async () => {
    const found: string[] = [];
    for await (const value of merge([count('a', 3), count('b', 1), count('c', 2)], () => undefined)) found.push(value);
    expect(found.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'c2']);
    expect(found.filter((value) => value.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
  });

  it('does not let a generator that always has a value starve the others', async () => {
    const found: string[] = [];
    for await (const value of merge([count('a', 100), count('b', 3)], () => undefined)) found.push(value);
    expect(found.indexOf('b3')).toBeLessThan(10);
  });

  it('resumes a generator only after the consumer is done with its value, and lets the others run', async () => {
    const log: string[] = [];
    async function* first(): AsyncGenerator<string> {
      yield 'first';
      log.push('first resumed');
    }
    async function* second(): AsyncGenerator<string> {
      await settle();
      log.push('second runs');
      yield 'second';
    }
    for await (const value of merge([first(), second()], () => undefined)) {
      if (value !== 'first') continue;
      await settle();
      await settle();
      log.push('first consumed');
    }
    expect(log).toEqual(['second runs', 'first consumed', 'first resumed']);
  });

  it('stops and closes the other generators before it throws the error of one', async () => {
    const { generator, stop, log } = createWaiting('a');
    async function* failing(): AsyncGenerator<string> {
      yield 'b';
      throw new Error('b failed');
    }
    const consume = async () => {
      for await (const value of merge([generator, failing()], stop)) log.push(value);
    };
    await expect(consume()).rejects.toThrow('b failed');
    expect(log).toEqual(['a', 'b', 'a closed']);
  });

  it('stops and closes all generators when the consumer throws', async () => {
    const waiting = createWaiting('a');
    const suspended = createWaiting('b');
    const stop = () => {
      waiting.stop();
      suspended.stop();
    };
    const consume = async () => {
      for await (const value of merge([waiting.generator, suspended.generator], stop)) {
        if (value === 'b') throw new Error('cannot write');
      }
    };
    await expect(consume()).rejects.toThrow('cannot write');
    expect([...waiting.log, ...suspended.log]).toEqual(['a closed', 'b closed']);
  });

  it('ends at once without generators', async () => {
    expect(await merge([], () => undefined).next()).toEqual({ done: true, value: undefined });
  });

  it('does not keep consumed values alive while a generator is pending', async () => {
    const refs: WeakRef<object>[] = [];
    async function* objects(): AsyncGenerator<object> {
      for (let i = 0; i < 100; i++) {
        const value = { i };
        refs.push(new WeakRef(value));
        yield value;
      }
      throw new Error('end');
    }
    const waiting = createWaiting('w');
    const all = merge<unknown>([objects(), waiting.generator], waiting.stop);
    const consume = async () => {
      for (let i = 0; i < 90; i++) await all.next();
    };
    await consume();
    await settle();
    collectGarbage();
    expect(refs.slice(0, 50).filter((ref) => ref.deref() !== undefined)).toEqual([]);
    await all.return(undefined);
  });
});
