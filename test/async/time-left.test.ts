import { describe, expect, it } from 'vitest';
import { addSample, describeTimeLeft, type Sample, secondsLeft } from '../../src/async/time-left.ts';

/** Samples every ten seconds of a task that does `rates[i]` per second in the i-th minute. */
function samplesOf(...rates: number[]): readonly Sample[] {
  let sample = { at: 1_000_000, done: 0 };
  let samples = addSample([], sample);
  for (const rate of rates) {
    for (let i = 0; i < 6; i++) {
      sample = { at: sample.at + 10_000, done: sample.done + rate * 10 };
      samples = addSample(samples, sample);
    }
  }
  return samples;
}

describe('the time left', () => {
  it('follows from the rate of the samples', () => {
    expect(secondsLeft(samplesOf(10), 1_200)).toBe(60);
    expect(secondsLeft(samplesOf(10, 15), 3_000)).toBe(120);
  });

  it('is unknown before a minute has been seen', () => {
    expect(secondsLeft([], 10)).toBeNull();
    expect(secondsLeft(samplesOf(10).slice(1), 1_200)).toBeNull();
  });

  it('is unknown while the rate changes by more than a factor of two', () => {
    expect(secondsLeft(samplesOf(10, 21), 9_000)).toBeNull();
    expect(secondsLeft(samplesOf(21, 10), 9_000)).toBeNull();
  });

  it('is unknown while nothing is done, and with two samples only', () => {
    expect(secondsLeft(samplesOf(0, 0), 100)).toBeNull();
    expect(
      secondsLeft(
        [
          { at: 0, done: 0 },
          { at: 90_000, done: 50 },
        ],
        100,
      ),
    ).toBeNull();
  });

  it('follows from the last ten minutes only', () => {
    const samples = samplesOf(...Array(10).fill(1_000), ...Array(10).fill(10));
    expect(secondsLeft(samples, (samples.at(-1)?.done ?? 0) + 600)).toBe(60);
  });

  it('takes a sample every five seconds', () => {
    const samples = addSample([], { at: 0, done: 0 });
    expect(addSample(samples, { at: 4_999, done: 1 })).toBe(samples);
    expect(addSample(samples, { at: 5_000, done: 1 })).toHaveLength(2);
  });

  it.each([
    [0, 'about 1 minute left'],
    [89, 'about 1 minute left'],
    [5_399, 'about 90 minutes left'],
    [5_400, 'about 2 hours left'],
    [100_000, 'about 28 hours left'],
    [130_000, 'about 2 days left'],
    [864_000, 'about 10 days left'],
  ])('is said in words: %d seconds', (seconds, text) => {
    expect(describeTimeLeft(seconds)).toBe(text);
  });
});
