import { type Hex, hexToBytes, keccak256 } from 'viem';

/** The logs bloom filter as the yellow paper defines it: an independent implementation to test against. */
export function bloomOf(values: readonly Hex[]): Hex {
  const bytes = Buffer.alloc(256);
  for (const value of values) {
    const hash = Buffer.from(hexToBytes(keccak256(value)));
    for (const offset of [0, 2, 4]) {
      const bit = hash.readUInt16BE(offset) % 2048;
      const byte = 255 - Math.floor(bit / 8);
      bytes.writeUInt8(bytes.readUInt8(byte) | (1 << (bit % 8)), byte);
    }
  }
  return `0x${bytes.toString('hex')}`;
}
