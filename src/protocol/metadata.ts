import { type Address, byteLength, type Hex, ZERO_ADDRESS } from './hex.ts';

/**
 * The account in a `user` or `manager` value of list metadata. Null if it is not a non-zero address.
 * @see https://docs.efp.app/design/list-metadata/
 */
export function decodeRole(value: Hex): Address | null {
  return byteLength(value) === 20 && value !== ZERO_ADDRESS ? value : null;
}

/**
 * The token id in a `primary-list` value of account metadata, in decimal. Null if the length is invalid.
 * @see https://docs.efp.app/design/account-metadata/
 */
export function decodePrimaryList(value: Hex): string | null {
  const length = byteLength(value);
  return length >= 1 && length <= 32 ? BigInt(value).toString() : null;
}
