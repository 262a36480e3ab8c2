import { beforeEach, describe, expect, it } from 'vitest';
import { createLoading, type Loading } from '../../src/indexer/loading.ts';

describe('the bulk of chains', () => {
  let time: number;
  let loading: Loading;
  beforeEach(() => {
    time = 1_000;
    loading = createLoading(() => time);
  });

  it('is not coming in before a chain begins, and there is nothing to finish', () => {
    expect([loading.isActive(), loading.isUnfinished()]).toEqual([false, false]);
  });

  it('is coming in until the last chain has ended, and is to be finished then', () => {
    loading.heard(1);
    loading.heard(10);
    loading.end(1);
    expect(loading.isActive()).toBe(true);
    loading.end(10);
    expect([loading.isActive(), loading.isUnfinished()]).toEqual([false, true]);
    loading.finished();
    expect(loading.isUnfinished()).toBe(false);
  });

  it('does not hold up others when nothing has come for half a minute, and is to be finished so far', () => {
    loading.heard(1);
    time += 20_000;
    loading.heard(1);
    time += 29_999;
    expect(loading.isActive()).toBe(true);
    time += 1;
    expect([loading.isActive(), loading.isUnfinished()]).toEqual([false, true]);
  });

  it('counts again when the chain is heard of again', () => {
    loading.heard(1);
    time += 60_000;
    loading.finished();
    loading.heard(1);
    expect([loading.isActive(), loading.isUnfinished()]).toEqual([true, true]);
  });
});
