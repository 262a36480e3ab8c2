import { keccak256 } from 'viem/utils';
import type { Hex } from '../protocol/hex.ts';

/** Tests whether a block's bloom filter may contain a log of one of `contracts` with one of `topics`. */
export function createBloomTest(contracts: readonly Hex[], topics: readonly Hex[]): (bloom: Hex) => boolean {
  const contractBits = contracts.map(bitsOf);
  const topicBits = topics.map(bitsOf);
  return (bloom) => {
    const has = (bits: readonly number[]) => bits.every((bit) => isSet(bloom, bit));
    return contractBits.some(has) && topicBits.some(has);
  };
}

/** A value sets three of 2048 bits: the low eleven bits of each of the first three 16-bit words of its hash. */
function bitsOf(value: Hex): number[] {
  const hash = keccak256(value);
  return [0, 1, 2].map((pair) => Number.parseInt(hash.slice(2 + pair * 4, 6 + pair * 4), 16) & 2047);
}

/** Bit 0 is the last one of the filter, which has 512 hex digits after the prefix. */
function isSet(bloom: Hex, bit: number): boolean {
  const digit = Number.parseInt(bloom.charAt(bloom.length - 1 - (bit >> 2)), 16);
  return ((digit >> (bit & 3)) & 1) === 1;
}

/** Whether more than half of a filter's bits are set. */
export function isFull(bloom: Hex): boolean {
  let set = 0;
  for (const digit of bloom.slice(2)) set += BITS_SET[Number.parseInt(digit, 16)] ?? 0;
  return set > 1024;
}

/** Number of set bits by hex digit. */
const BITS_SET = Array.from({ length: 16 }, (_, digit) => digit.toString(2).replaceAll('0', '').length);
