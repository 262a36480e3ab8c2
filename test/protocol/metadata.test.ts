import { type Hex, numberToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { decodePrimaryList, decodeRole } from '../../src/protocol/register-values.ts';

const ACCOUNT: Hex = `0x${'a1'.repeat(20)}`;
const MAX = 2n ** 256n - 1n;

describe('decodeRole', () => {
  it.each<[string, Hex]>([
    ['an address', ACCOUNT],
    ['an address that is nearly zero', numberToHex(1, { size: 20 })],
  ])('decodes %s', (_, value) => {
    expect(decodeRole(value)).toBe(value);
  });

  it.each<[string, Hex]>([
    ['has no bytes', '0x'],
    ['is one byte short', `0x${'a1'.repeat(19)}`],
    ['is one byte too long', `0x${'a1'.repeat(21)}`],
    ['is an address padded to 32 bytes', `0x${'00'.repeat(12)}${'a1'.repeat(20)}`],
    ['is the zero address', `0x${'00'.repeat(20)}`],
  ])('returns null for a value that %s', (_, value) => {
    expect(decodeRole(value)).toBeNull();
  });
});

describe('decodePrimaryList', () => {
  it.each<[string, Hex, string]>([
    ['one byte', '0x07', '7'],
    ['one byte of zero, the first list', '0x00', '0'],
    ['two bytes, big-endian', '0x0102', '258'],
    ['31 bytes', numberToHex(9, { size: 31 }), '9'],
    ['32 bytes', numberToHex(54_643, { size: 32 }), '54643'],
    ['32 bytes of zero', numberToHex(0, { size: 32 }), '0'],
    ['the greatest number of 32 bytes', numberToHex(MAX), MAX.toString()],
    ['a number above the safe integers', numberToHex(2n ** 53n + 1n), '9007199254740993'],
  ])('decodes %s', (_, value, list) => {
    expect(decodePrimaryList(value)).toBe(list);
  });

  it.each<[string, Hex]>([
    ['no bytes', '0x'],
    ['33 bytes', numberToHex(7, { size: 33 })],
    ['64 bytes', numberToHex(7, { size: 64 })],
  ])('returns null for %s', (_, value) => {
    expect(decodePrimaryList(value)).toBeNull();
  });
});
