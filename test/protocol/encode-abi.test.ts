import fc from 'fast-check';
import { encodeAbiParameters, numberToHex, toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { encodeDynamicValues, word } from '../../src/protocol/encode-log.ts';

const hexBytes = fc.uint8Array({ maxLength: 100 }).map((bytes) => toHex(bytes));

describe('encodeDynamicValues', () => {
  it('encodes the same bytes as viem', () => {
    fc.assert(
      fc.property(fc.array(hexBytes, { minLength: 1, maxLength: 5 }), (values) => {
        const types = values.map(() => ({ type: 'bytes' }) as const);
        expect(encodeDynamicValues(values)).toBe(encodeAbiParameters(types, values));
      }),
    );
  });
});

describe('word', () => {
  it('encodes a number as 32 bytes without a prefix', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (number) => {
        expect(`0x${word(number)}`).toBe(numberToHex(number, { size: 32 }));
      }),
    );
  });
});
