import { type Address, type Hex, sliceHex } from './hex.ts';
import { type DecodedTag, decodeTag } from './tag.ts';

// Layout of a list op, see https://docs.efp.app/design/list-ops/ and https://docs.efp.app/design/list-records/
//
//  byte  0         1        2          3        4 ............ 23   24 ...
//       +---------+--------+----------+--------+------------------+----------------+
//       | version | opcode | record   | record | record           | tag; ignored   |
//       | = 1     | 1 to 4 | version 1| type 1 | address          | for 1 and 2    |
//       +---------+--------+----------+--------+------------------+----------------+
const TAG_START = 24;
const HEX_LENGTH_WITHOUT_TAG = 2 + TAG_START * 2;

export const OPCODES = { follow: 1, unfollow: 2, tag: 3, untag: 4 } as const;
export type Opcode = (typeof OPCODES)[keyof typeof OPCODES];

/** Names of the opcodes in API responses. */
export const ACTIONS: Readonly<Record<Opcode, keyof typeof OPCODES>> = {
  1: 'follow',
  2: 'unfollow',
  3: 'tag',
  4: 'untag',
};

/** An operation on one record of a list. `tag` is empty for follow and unfollow. */
export interface ListOp {
  readonly kind: 'op';
  readonly opcode: Opcode;
  readonly record: Address;
  readonly tag: string;
}

export type IgnoredOp = {
  readonly kind: 'ignored';
  readonly reason:
    | 'op-too-short'
    | 'unknown-version'
    | 'unknown-opcode'
    | 'unknown-record'
    | Extract<DecodedTag, { kind: 'ignored' }>['reason'];
};

export function decodeListOp(op: Hex): ListOp | IgnoredOp {
  if (op.length < HEX_LENGTH_WITHOUT_TAG) return { kind: 'ignored', reason: 'op-too-short' };
  if (!op.startsWith('01', 2)) return { kind: 'ignored', reason: 'unknown-version' };
  const opcode = parseOpcode(op);
  if (opcode === null) return { kind: 'ignored', reason: 'unknown-opcode' };
  if (!op.startsWith('0101', 6)) return { kind: 'ignored', reason: 'unknown-record' };
  const record = sliceHex(op, 4, TAG_START);
  if (opcode === OPCODES.follow || opcode === OPCODES.unfollow) return { kind: 'op', opcode, record, tag: '' };
  const decoded = decodeTag(sliceHex(op, TAG_START));
  return decoded.kind === 'tag' ? { kind: 'op', opcode, record, tag: decoded.tag } : decoded;
}

function parseOpcode(op: Hex): Opcode | null {
  const opcode = Number.parseInt(op.slice(4, 6), 16);
  // Safe: the comparison admits only the four opcodes.
  return opcode >= 1 && opcode <= 4 ? (opcode as Opcode) : null;
}

/** The bytes of an op without appended ones. */
export function plainOp(opcode: number, record: string): Hex {
  return `0x010${opcode}0101${record.slice(2)}`;
}
