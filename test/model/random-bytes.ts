import { concatHex, type Hex, numberToHex, size, slice, stringToHex } from 'viem';
import { locationBytes, opBytes, recordsAddress, type SlotRef, word } from './encode-log.ts';
import { MAINNET, ZERO_ADDRESS } from './mainnet.ts';
import type { Random } from './random.ts';

const PLAIN_TAGS = ['block', 'mute', 'mute', 'top8', 'top8', 'friend'];

/** Strings that a careless decoder, database or comparison would change. */
const ODD_TAGS = [
  ...[' Block', 'BLOCK\0', 'b\0lock', '\u00a0mute\t', '\ufeffMute', '\0 mute \0', 'ToP8\n', 'top8\0\0'],
  ...[
    'a b',
    'a,b',
    'Friend ',
    '%',
    '_',
    "'; --",
    '\\',
    '"',
    '__proto__',
    'constructor',
    '\u0085',
    'ΑΣ',
    'İ',
    '😀',
    '👩‍👩‍👧',
  ],
  // In opposite orders by code point and by UTF-16 unit.
  ...['\ue000', '🔥'],
  ...['e\u0301', 'é', 'x'.repeat(255), ` ${'X'.repeat(254)}`, '😀'.repeat(63)],
].map((text) => stringToHex(text));

const BAD_TAGS: readonly Hex[] = [
  ...['', ' ', '\0', ' \0\ufeff\t', 'x'.repeat(256), `${'x'.repeat(255)}\0`, `block${' '.repeat(251)}`].map((text) =>
    stringToHex(text),
  ),
  // A stray byte, an overlong NUL, a surrogate, a cut-off sequence, and one behind a word that means something.
  ...(['0xff', '0xc080', '0xeda080', '0xe282', concatHex([stringToHex('block'), '0xe2'])] as const),
];

export function randomOp(random: Random, record: Hex): Hex {
  const follow = () => opBytes(1, record, randomJunk(random));
  const unfollow = () => opBytes(2, record, randomJunk(random));
  const tag = (opcode: number) => () => opBytes(opcode, record, randomTag(random));
  const badTag = (opcode: number) => () => opBytes(opcode, record, random.pick(BAD_TAGS));
  return random.weighted([
    [40, follow],
    [9, unfollow],
    [26, tag(3)],
    [12, tag(4)],
    [4, badTag(3)],
    [3, badTag(4)],
    [10, () => spoilOp(random, opBytes(1 + random.int(4), record, random.pick(['0x', stringToHex('block')])))],
  ]);
}

function randomTag(random: Random): Hex {
  return random.chance(0.7) ? stringToHex(random.pick(PLAIN_TAGS)) : random.pick(ODD_TAGS);
}

function randomJunk(random: Random): Hex {
  return random.weighted<Hex>([
    [7, () => '0x'],
    [1, () => stringToHex('block')],
    [1, () => random.pick(BAD_TAGS)],
    [1, () => '0xdeadbeef'],
  ]);
}

function spoilOp(random: Random, op: Hex): Hex {
  return random.weighted<Hex>([
    [1, () => withByte(op, 0, random.pick([0, 2, 255]))],
    [1, () => withByte(op, 1, random.pick([0, 5, 255]))],
    [1, () => withByte(op, 2, random.pick([0, 2]))],
    [1, () => withByte(op, 3, random.pick([0, 2]))],
    // Up to 23 bytes: the shortest op has 24.
    [2, () => firstBytes(op, random.pick([0, 1, 2, 4, 22, 23]))],
  ]);
}

export function randomLocation(random: Random, slot: SlotRef): Hex {
  const right = locationBytes(slot);
  const elsewhere = (chainId: bigint, contract: Hex) => concatHex(['0x0101', word(chainId), contract, word(slot.slot)]);
  return random.weighted<Hex>([
    [15, () => right],
    [1, () => firstBytes(right, random.pick([0, 1, 54, 85]))],
    [1, () => concatHex([right, '0x00'])],
    [1, () => withByte(right, random.int(2), random.pick([0, 2]))],
    [1, () => elsewhere(BigInt(slot.chainId), MAINNET.registry.address)],
    [1, () => elsewhere(random.pick([0n, 137n, 2n ** 256n - 1n]), recordsAddress(slot.chainId))],
    [1, () => elsewhere(slot.chainId === 10 ? 8453n : 10n, recordsAddress(slot.chainId))],
  ]);
}

/** The value of a user or a manager. */
export function randomRole(random: Random, account: Hex): Hex {
  return random.weighted<Hex>([
    [16, () => account],
    [1, () => ZERO_ADDRESS],
    [1, () => firstBytes(account, random.pick([0, 1, 19]))],
    [1, () => concatHex([account, '0x00'])],
    [1, () => concatHex(['0x000000000000000000000000', account])],
  ]);
}

export function randomPrimaryList(random: Random, tokenId: bigint): Hex {
  const shortest = size(numberToHex(tokenId));
  return random.weighted<Hex>([
    [6, () => word(tokenId)],
    [5, () => numberToHex(tokenId, { size: Math.max(shortest, 1 + random.int(31)) })],
    [1, () => '0x'],
    [2, () => concatHex(['0x00', word(tokenId)])],
    [1, () => word(2n ** 256n - 1n)],
  ]);
}

function withByte(bytes: Hex, at: number, value: number): Hex {
  const digits = numberToHex(value, { size: 1 }).slice(2);
  return `0x${bytes.slice(2, 2 + at * 2)}${digits}${bytes.slice(4 + at * 2)}`;
}

function firstBytes(bytes: Hex, count: number): Hex {
  return count === 0 ? '0x' : slice(bytes, 0, Math.min(count, size(bytes)));
}
