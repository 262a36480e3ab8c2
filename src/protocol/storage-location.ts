import { byteLength, type Hex, sliceHex } from './hex.ts';
import { type SlotKey, slotKey } from './slot-key.ts';

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
