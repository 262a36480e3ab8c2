import { describe, expect, it } from 'vitest';
import { findRevertData } from '../../src/rpc/endpoint.ts';

const DATA = '0x08c379a0';

describe('findRevertData', () => {
  it.each([
    ['in data', { code: 3, message: 'execution reverted', data: DATA }],
    ['in upper case', { code: 3, data: '0x08C379A0' }],
    ['in data of data', { code: -32000, data: { data: DATA } }],
    ['in the error of another node', { code: -32000, data: { originalError: { code: 3, data: DATA } } }],
    ['in a nested error', { code: -32000, error: { cause: { data: DATA } } }],
    ['in a text after "Reverted"', { code: -32015, message: 'VM execution error.', data: `Reverted ${DATA}` }],
    ['in the message', { code: -32015, message: `execution reverted: ${DATA}` }],
  ])('returns revert data %s', (_where, error) => {
    expect(findRevertData(error)).toBe(DATA);
  });

  it.each([
    ['an error without data', { code: -32005, message: 'rate limit' }],
    ['a text that is not revert data', { code: -32000, data: 'see 0x1234' }],
    ['a message that mentions hex', { code: -32000, message: 'block 0x1234 not found' }],
    ['no error', null],
  ])('returns null for %s', (_what, error) => {
    expect(findRevertData(error)).toBeNull();
  });

  it('stops at an error that is nested too deep', () => {
    let error: object = { data: DATA };
    for (let depth = 0; depth < 10; depth++) error = { data: error };
    expect(findRevertData(error)).toBeNull();
  });
});
