import { byteLength, type Hex, sliceHex } from './hex.ts';
import { type SlotKey, slotKey } from './slot-key.ts';

//  byte  0         1      2 ......... 33  34 ........ 53   54 ... 85
//       +---------+------+---------------+---------------+----------+
//       | version | type | chain id      | contract      | slot     |
//       | = 1     | = 1  | 32 bytes      | 20 bytes      | 32 bytes |
//       +---------+------+---------------+---------------+----------+
const LENGTH = 86;

/** The slot that a list says it is stored in, or null when the bytes name none. */
export function decodeStorageLocation(bytes: Hex): SlotKey | null {
  if (byteLength(bytes) !== LENGTH || !bytes.startsWith('0x0101')) return null;
  return slotKey(BigInt(sliceHex(bytes, 2, 34)), sliceHex(bytes, 34, 54), sliceHex(bytes, 54));
}
