import { type Address, byteLength, type Hex, ZERO_ADDRESS } from './hex.ts';

/** The account that a `user` or `manager` value names, or null when it names none. */
export function decodeRole(value: Hex): Address | null {
  return byteLength(value) === 20 && value !== ZERO_ADDRESS ? value : null;
}

/** The list number of a `primary-list` value as decimal text, or null when it holds none. */
export function decodePrimaryList(value: Hex): string | null {
  const length = byteLength(value);
  return length >= 1 && length <= 32 ? BigInt(value).toString() : null;
}
