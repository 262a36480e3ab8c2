import { word } from '../protocol/abi.ts';
import { type Address, type Hex, textToHex } from '../protocol/hex.ts';
import { type Opcode, plainOp } from '../protocol/list-op.ts';

/** `suffix` is the bytes after the record's address: a tag, or junk. */
export function encodeOp(opcode: Opcode, record: Address, suffix: Hex = '0x'): Hex {
  return `${plainOp(opcode, record)}${suffix.slice(2)}`;
}

export function encodeLocation(chainId: number, contract: Address, slot: Hex): Hex {
  return `0x0101${word(chainId)}${contract.slice(2)}${slot.slice(2)}`;
}

/** List ops that indexers must ignore, one of each kind. */
export const MALFORMED_OPS: readonly ((record: Address) => Hex)[] = [
  (record) => encodeOp(1, record).slice(0, -2) as Hex,
  () => '0x',
  (record) => `0x02${encodeOp(1, record).slice(4)}`,
  (record) => `0x0109${encodeOp(1, record).slice(6)}`,
  (record) => `0x01010102${record.slice(2)}`,
  (record) => encodeOp(3, record),
  (record) => encodeOp(3, record, textToHex(' \0 ')),
  (record) => encodeOp(3, record, '0xff80'),
  (record) => encodeOp(4, record, textToHex('long'.repeat(64))),
];
