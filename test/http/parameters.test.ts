import { describe, expect, it } from 'vitest';
import { limit, readParameters } from '../../src/http/request/parameters.ts';

describe('a limit', () => {
  const read = (text: string) => readParameters({ limit: limit(10) }, { limit: text }).limit;

  it.each(['1001', '5000', '1000000', '9'.repeat(400)])('of more than 1,000 is read as 1,000: %s', (text) => {
    expect(read(text)).toBe(1000);
  });

  it('of up to 1,000 is read as it is', () => {
    expect(['1', '010', '999', '1000'].map(read)).toEqual([1, 10, 999, 1000]);
  });
});
