import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createProgress, createShowProgress } from '../../src/commands/progress.ts';

const ERASE = '\r\x1b[K';

function collect() {
  const written: string[] = [];
  const output = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  const logger = { info: (...args: unknown[]) => void written.push(`${args.at(-1)}\n`) };
  return { written, output, logger };
}

/** A progress on a manual clock, with its output. */
function setUp(isTTY: boolean, label = 'logs.ndjson') {
  const { written, output, logger } = collect();
  let time = 1_000_000;
  const terminal = Object.assign(output, { isTTY });
  const progress = createProgress(label, 'logs', { stderr: terminal, logger, monotonic: () => time });
  const at = (ms: number, done: number, fraction?: number) => {
    time = 1_000_000 + ms;
    progress.update(done, fraction);
  };
  const end = (ms: number) => {
    time = 1_000_000 + ms;
    progress.end();
  };
  return { at, end, written };
}

describe('createProgress without a terminal', () => {
  it('logs a line every five seconds, not with every update', () => {
    const { at, written } = setUp(false);
    at(10, 1, 0.01);
    at(4_999, 500, 0.1);
    expect(written).toEqual([]);
    at(5_000, 1_000, 0.25);
    at(5_001, 1_001, 0.26);
    at(9_999, 1_999, 0.49);
    at(10_000, 3_000, 0.5);
    expect(written).toEqual([
      'logs.ndjson: 25 % 1,000 logs, 200 per second\n',
      'logs.ndjson: 50 % 3,000 logs, 300 per second\n',
    ]);
  });

  it('writes no control characters and no bar', () => {
    const { at, end, written } = setUp(false);
    at(5_000, 1_000, 0.25);
    end(6_000);
    expect(written.join('')).toMatch(/^[\x20-\x7e\n]+$/);
  });

  it('ends with a line for the total, however short the task', () => {
    const { at, end, written } = setUp(false);
    at(10, 1_234_567, 0.99);
    end(2_000);
    expect(written).toEqual(['logs.ndjson: 100 % 1,234,567 logs, 617,284 per second\n']);
  });

  it('shows no percentage if the total is unknown', () => {
    const { at, end, written } = setUp(false);
    at(5_000, 50);
    end(10_000);
    expect(written).toEqual(['logs.ndjson: 50 logs, 10 per second\n', 'logs.ndjson: 50 logs, 5 per second\n']);
  });

  it('accepts a task without updates', () => {
    const { end, written } = setUp(false);
    end(0);
    expect(written).toEqual(['logs.ndjson: 0 logs, 0 per second\n']);
  });
});

describe('createProgress of a long task', () => {
  it('shows the time left once the rate is known, and not at the end', () => {
    const { at, end, written } = setUp(false);
    for (let minutes = 0; minutes <= 2; minutes += 0.5) at(60_000 * minutes, 100 * minutes, minutes / 100);
    end(130_000);
    expect(written).toEqual([
      'logs.ndjson: 0 % 50 logs, 2 per second\n',
      'logs.ndjson: 1 % 100 logs, 2 per second, about 2 hours left\n',
      'logs.ndjson: 1 % 150 logs, 2 per second, about 2 hours left\n',
      'logs.ndjson: 2 % 200 logs, 2 per second, about 2 hours left\n',
      'logs.ndjson: 100 % 200 logs, 2 per second\n',
    ]);
  });
});

describe('createProgress on a terminal', () => {
  it('redraws its line ten times a second, not with every update', () => {
    const { at, written } = setUp(true);
    at(99, 1, 0.1);
    expect(written).toEqual([]);
    at(100, 10, 0.25);
    at(150, 15, 0.3);
    at(200, 20, 0.5);
    expect(written).toEqual([
      `${ERASE}logs.ndjson: ${'█'.repeat(6)}${'░'.repeat(18)} 25 % 10 logs, 100 per second`,
      `${ERASE}logs.ndjson: ${'█'.repeat(12)}${'░'.repeat(12)} 50 % 20 logs, 100 per second`,
    ]);
  });

  it('ends with a full bar and a new line', () => {
    const { at, end, written } = setUp(true);
    at(100, 10, 0.25);
    end(1_000);
    expect(written.at(-1)).toBe(`${ERASE}logs.ndjson: ${'█'.repeat(24)} 100 % 10 logs, 10 per second\n`);
  });

  it('draws no bar if the total is unknown', () => {
    const { at, written } = setUp(true);
    at(100, 10);
    expect(written).toEqual([`${ERASE}logs.ndjson: 10 logs, 100 per second`]);
  });

  it.each([0, 0.001, 0.5, 0.999, 1])('draws a bar of the same width for %d', (fraction) => {
    const { at, written } = setUp(true);
    at(100, 10, fraction);
    expect(written[0]?.match(/[█░]/g)).toHaveLength(24);
  });
});

describe('createShowProgress', () => {
  it('shows the range of a chain before its first block, and the time left if it is known', () => {
    const { written, output, logger } = collect();
    let time = 1_000_000;
    const showProgress = createShowProgress({ stderr: output, logger, monotonic: () => time });
    const base = showProgress(8453, 0, 9_999);
    const optimism = showProgress(10, 0, 1_999);
    time += 5_000;
    base.update(4_999, 100, null);
    time += 5_000;
    base.update(7_999, 150, 7_300);
    time += 5_000;
    base.update(9_999, 300, 0);
    base.end();
    optimism.end();
    expect(written.slice(0, 6)).toEqual([
      'chain 8453: 50 % block 4,999, 20 logs per second\n',
      'chain 10: 0 % of blocks 0 to 1,999\n',
      'chain 8453: 80 % block 7,999, 15 logs per second, about 2 hours left\n',
      'chain 10: 0 % of blocks 0 to 1,999\n',
      'chain 8453: 100 % block 9,999, 20 logs per second\n',
      'chain 10: 0 % of blocks 0 to 1,999\n',
    ]);
    expect(written.slice(4).join('')).not.toMatch(/-1|left/);
  });
});
