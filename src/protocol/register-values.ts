import { type Address, byteLength, type Hex, sliceHex, ZERO_ADDRESS } from './hex.ts';

/** Identifies a slot of a list records contract: `chainId/contract/slot`, the slot as 32 bytes in hex. */
export type SlotKey = `${string}/${Address}/${Hex}`;

export function slotKey(chainId: number | bigint, contract: Address, slot: Hex): SlotKey {
  return `${chainId}/${contract}/${slot}` as SlotKey;
}

/** The inverse of `slotKey`; the chain id is decimal. */
export function parseSlotKey(key: SlotKey): { chainId: string; contract: Address; slot: Hex } {
  // Safe: the key has these three parts.
  const [chainId, contract, slot] = key.split('/') as [string, Address, Hex];
  return { chainId, contract, slot };
}

// Layout of a list storage location, see https://docs.efp.app/design/list-storage-location/
//
//  byte  0         1      2 ......... 33  34 ........ 53   54 ... 85
//       +---------+------+---------------+---------------+----------+
//       | version | type | chain id      | contract      | slot     |
//       | = 1     | = 1  | 32 bytes      | 20 bytes      | 32 bytes |
//       +---------+------+---------------+---------------+----------+
const LENGTH = 86;

/** Decodes the slot that a list is stored in. Null if the bytes are not a valid location. */
export function decodeStorageLocation(bytes: Hex): SlotKey | null {
  if (byteLength(bytes) !== LENGTH || !bytes.startsWith('0x0101')) return null;
  return slotKey(BigInt(sliceHex(bytes, 2, 34)), sliceHex(bytes, 34, 54), sliceHex(bytes, 54));
}

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
