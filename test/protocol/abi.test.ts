import fc from 'fast-check';
import { concatHex, decodeAbiParameters, encodeAbiParameters, type Hex, numberToHex, slice, toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { decodeDynamicValues, encodeDynamicValues, word } from '../../src/protocol/abi.ts';
import { encodeBytes, word as prefixedWord } from '../model/encode-log.ts';

const bytesTypes = (count: number) => Array.from({ length: count }, () => ({ type: 'bytes' }) as const);
const hexBytes = fc.uint8Array({ maxLength: 100 }).map((bytes) => toHex(bytes));
const words = (...numbers: bigint[]) => concatHex(numbers.map(prefixedWord));

describe('encodeDynamicValues', () => {
  it('encodes the same bytes as viem', () => {
    fc.assert(
      fc.property(fc.array(hexBytes, { minLength: 1, maxLength: 5 }), (values) => {
        expect(encodeDynamicValues(values)).toBe(encodeAbiParameters(bytesTypes(values.length), values));
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

describe('decodeDynamicValues', () => {
  it('decodes values that viem encoded', () => {
    fc.assert(
      fc.property(fc.array(hexBytes, { minLength: 1, maxLength: 5 }), (values) => {
        const data = encodeAbiParameters(bytesTypes(values.length), values);
        expect(decodeDynamicValues(data, values.length)).toEqual(values);
      }),
    );
  });

  it('decodes a string as its UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), hexBytes, (text, bytes) => {
        const data = encodeAbiParameters([{ type: 'string' }, { type: 'bytes' }], [text, bytes]);
        expect(decodeDynamicValues(data, 2)).toEqual([toHex(Buffer.from(text)), bytes]);
      }),
    );
  });

  it('agrees with viem on arbitrary words, truncated anywhere', () => {
    const anyWord = fc.constantFrom(0n, 1n, 31n, 32n, 33n, 64n, 96n, 128n, 2n ** 53n, 2n ** 64n, 2n ** 256n - 1n);
    // At least three words: viem throws when no data follows the two offsets.
    const someWords = fc.array(anyWord, { minLength: 3, maxLength: 6 });
    fc.assert(
      fc.property(someWords, fc.nat(31), fc.constantFrom(1, 2), (numbers, missing, count) => {
        const whole = words(...numbers);
        const data = slice(whole, 0, numbers.length * 32 - missing);
        expect(decodeDynamicValues(data, count)).toEqual(decodeWithViem(data, count));
      }),
      { numRuns: 2000 },
    );
  });

  it.each<[string, Hex, Hex[]]>([
    ['an empty value', words(32n, 0n), ['0x']],
    ['an empty value whose length is its own offset', words(0n), ['0x']],
    ['a value without padding', concatHex([words(32n, 1n), '0xab']), ['0xab']],
    ['a value that ends with the data', concatHex([words(32n, 32n), prefixedWord(5n)]), [prefixedWord(5n)]],
    ['a value after a gap', concatHex([words(64n, 99n, 1n), '0xab']), ['0xab']],
    ['a value with trailing data', concatHex([encodeBytes('0xab'), '0xffff']), ['0xab']],
  ])('decodes %s', (_, data, values) => {
    expect(decodeDynamicValues(data, 1)).toEqual(values);
  });

  it.each<[string, Hex]>([
    ['is empty', '0x'],
    ['ends within the offset', slice(words(32n), 0, 31)],
    ['has no length', words(32n)],
    ['ends within the length', slice(words(32n, 0n), 0, 63)],
    ['has its offset at the end', words(64n, 0n)],
    ['has its offset beyond the end', words(96n, 0n)],
    ['has its length one byte beyond the end', concatHex([words(32n, 2n), '0xab'])],
    ['has its offset at 2^53, which is not a safe integer', words(2n ** 53n, 0n)],
    ['has the greatest safe offset', words(2n ** 53n - 1n, 0n)],
    ['has the greatest offset of all', words(2n ** 256n - 1n, 0n)],
    ['has an offset that would be valid modulo 2^64', concatHex([words(2n ** 64n + 32n, 1n), '0xab'])],
    ['has the greatest safe length', words(32n, 2n ** 53n - 1n)],
    ['has the greatest length of all', words(32n, 2n ** 256n - 1n)],
  ])('returns null for data that %s', (_, data) => {
    expect(decodeDynamicValues(data, 1)).toBeNull();
  });

  it('returns null when the second value is truncated', () => {
    const data = encodeAbiParameters(bytesTypes(2), ['0xab', '0xcdef']);
    expect(decodeDynamicValues(slice(data, 0, 32 * 5 + 1), 2)).toBeNull();
  });
});

function decodeWithViem(data: Hex, count: number): readonly unknown[] | null {
  try {
    return decodeAbiParameters(bytesTypes(count), data);
  } catch {
    return null;
  }
}
