import fc from 'fast-check';
import {
  concatHex,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  parseAbiParameters,
  size,
  slice,
  toHex,
} from 'viem';
import { describe, expect, it } from 'vitest';
import {
  abiAddress,
  abiArray,
  abiBytes,
  abiString,
  abiTuple,
  abiWord,
  decodeAbi,
} from '../../src/protocol/decode-abi.ts';
import { encodeBytes, word as prefixedWord } from '../model/encode-log.ts';

const bytesTypes = (count: number) => Array.from({ length: count }, () => ({ type: 'bytes' }) as const);
const hexBytes = fc.uint8Array({ maxLength: 100 }).map((bytes) => toHex(bytes));
const hexWord = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toHex(bytes));
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => toHex(bytes));
/** viem removes leading zero bytes. */
const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.startsWith('\0'));
const words = (...numbers: (bigint | number)[]) => concatHex(numbers.map((number) => prefixedWord(BigInt(number))));

const decodeBytes = (data: Hex, count: number): Hex[] | null =>
  decodeAbi(
    data,
    bytesTypes(count).map(() => abiBytes),
  );

describe('decodeAbi on data that viem encoded', () => {
  it('decodes bytes', () => {
    fc.assert(
      fc.property(fc.array(hexBytes, { minLength: 1, maxLength: 5 }), (values) => {
        expect(decodeBytes(encodeAbiParameters(bytesTypes(values.length), values), values.length)).toEqual(values);
      }),
    );
  });

  it('decodes a string, as text and as its UTF-8 bytes', () => {
    fc.assert(
      fc.property(text, hexBytes, (value, bytes) => {
        const data = encodeAbiParameters([{ type: 'string' }, { type: 'bytes' }], [value, bytes]);
        expect(decodeAbi(data, [abiString, abiBytes])).toEqual([value, bytes]);
        expect(decodeAbi(data, [abiBytes, abiBytes])).toEqual([toHex(Buffer.from(value)), bytes]);
      }),
    );
  });

  it('decodes words and addresses between dynamic values', () => {
    const types = parseAbiParameters('bytes32, string, address, bytes[], bytes32');
    fc.assert(
      fc.property(hexWord, text, address, fc.array(hexBytes, { maxLength: 5 }), hexWord, (...values) => {
        const data = encodeAbiParameters(types, values);
        expect(decodeAbi(data, [abiWord, abiString, abiAddress, abiArray(abiBytes), abiWord])).toEqual(values);
      }),
    );
  });

  it('decodes an array of tuples', () => {
    const types = parseAbiParameters('(address, string[], bytes)[]');
    const request = fc.tuple(address, fc.array(text, { maxLength: 3 }), hexBytes);
    fc.assert(
      fc.property(fc.array(request, { maxLength: 4 }), (requests) => {
        const data = encodeAbiParameters(types, [requests]);
        const tuple = abiTuple<[Hex, string[], Hex]>([abiAddress, abiArray(abiString), abiBytes]);
        expect(decodeAbi(data, [abiArray(tuple)])).toEqual([requests]);
      }),
    );
  });
});

describe('decodeAbi on any data', () => {
  const anyWord = fc.constantFrom(0n, 1n, 31n, 32n, 33n, 64n, 96n, 128n, 2n ** 53n, 2n ** 64n, 2n ** 256n - 1n);
  const someWords = fc.array(anyWord, { minLength: 1, maxLength: 12 });
  const anyData = fc
    .tuple(someWords, fc.nat(31))
    .map(([numbers, missing]) => slice(words(...numbers), 0, numbers.length * 32 - missing));

  it('finds what viem finds, or nothing', () => {
    fc.assert(
      fc.property(anyData, fc.constantFrom(1, 2), (data, count) => {
        const found = decodeBytes(data, count);
        if (found !== null) expect(found).toEqual(decodeAbiParameters(bytesTypes(count), data));
      }),
      { numRuns: 2000 },
    );
  });

  it('finds no more bytes than the data has', () => {
    fc.assert(
      fc.property(anyData, (data) => {
        const [found = []] = decodeAbi(data, [abiArray(abiBytes)]) ?? [];
        expect(found.reduce((sum, value) => sum + 64 + size(value), 64)).toBeLessThanOrEqual(Math.max(size(data), 64));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('decodeAbi with one value', () => {
  it.each<[string, Hex, Hex[]]>([
    ['an empty value', words(32, 0), ['0x']],
    ['a value without padding', concatHex([words(32, 1), '0xab']), ['0xab']],
    ['a value that ends with the data', concatHex([words(32, 32), prefixedWord(5n)]), [prefixedWord(5n)]],
    ['a value after a gap', concatHex([words(64, 99, 1), '0xab']), ['0xab']],
    ['a value with trailing data', concatHex([encodeBytes('0xab'), '0xffff']), ['0xab']],
  ])('decodes %s', (_, data, values) => {
    expect(decodeBytes(data, 1)).toEqual(values);
  });

  it.each<[string, Hex]>([
    ['is empty', '0x'],
    ['ends within the offset', slice(words(32), 0, 31)],
    ['has no length', words(32)],
    ['ends within the length', slice(words(32, 0), 0, 63)],
    ['has its offset within the head', words(0)],
    ['has its offset at the end', words(64, 0)],
    ['has its offset beyond the end', words(96, 0)],
    ['has its length one byte beyond the end', concatHex([words(32, 2), '0xab'])],
    ['has its offset at 2^53, which is not a safe integer', words(2n ** 53n, 0)],
    ['has the greatest safe offset', words(2n ** 53n - 1n, 0)],
    ['has the greatest offset of all', words(2n ** 256n - 1n, 0)],
    ['has an offset that would be valid modulo 2^64', concatHex([words(2n ** 64n + 32n, 1), '0xab'])],
    ['has the greatest safe length', words(32, 2n ** 53n - 1n)],
    ['has the greatest length of all', words(32, 2n ** 256n - 1n)],
  ])('returns null for data that %s', (_, data) => {
    expect(decodeBytes(data, 1)).toBeNull();
  });

  it('returns null when the second value is truncated', () => {
    const data = encodeAbiParameters(bytesTypes(2), ['0xab', '0xcdef']);
    expect(decodeBytes(slice(data, 0, 32 * 5 + 1), 2)).toBeNull();
  });
});

describe('decodeAbi with an array', () => {
  const honest = encodeAbiParameters([{ type: 'bytes[]' }], [['0xab', '0xcd']]);

  it('decodes as many elements as expected', () => {
    expect(decodeAbi(honest, [abiArray(abiBytes, 2)])).toEqual([['0xab', '0xcd']]);
  });

  it.each([0, 1, 3])('returns null for 2 elements when %i are expected', (count) => {
    expect(decodeAbi(honest, [abiArray(abiBytes, count)])).toBeNull();
  });

  it.each<[string, Hex]>([
    ['whose elements have the same offset', words(32, 2, 64, 64, 32, 7)],
    ['whose second element is within the first', words(32, 2, 64, 96, 64, 32, 7)],
    ['whose second element stands before the first', words(32, 2, 128, 64, 32, 7, 32, 8)],
    ['whose element is its own offset', words(32, 1, 0, 0)],
    ['whose element has its offset beyond the end', words(32, 1, 2 ** 20, 0)],
    ['whose element ends beyond the end', words(32, 1, 32, 33, 7)],
    ['that has fewer offsets than its length', words(32, 3, 96)],
    ['of the greatest safe length', words(32, 2n ** 53n - 1n)],
    ['of the greatest length of all', words(32, 2n ** 256n - 1n)],
  ])('returns null for one %s', (_, data) => {
    expect(decodeAbi(data, [abiArray(abiBytes)])).toBeNull();
  });

  it('returns null for 1,000 offsets to one element of 100 KB, without decoding it', () => {
    const data = concatHex([words(32, 1_000), words(...Array(1_000).fill(32_000)), encodeTail(100_000)]);
    let decoded = 0;
    const counted: typeof abiBytes = (...place) => {
      decoded += 1;
      return abiBytes(...place);
    };
    expect(decodeAbi(data, [abiArray(counted, 30)])).toBeNull();
    expect(decoded).toBe(0);
    expect(decodeAbi(data, [abiArray(counted)])).toBeNull();
    expect(decoded).toBe(2);
  });

  it('returns null for tuples that share an array', () => {
    const tuple = words(96, 160, 0, 1, 32, 0);
    const data = concatHex([words(32, 2, 64, 64), tuple]);
    expect(decodeAbi(data, [abiArray(abiTuple([abiArray(abiString), abiBytes]))])).toBeNull();
  });
});

function encodeTail(length: number): Hex {
  return concatHex([prefixedWord(BigInt(length)), `0x${'ab'.repeat(length)}`]);
}
