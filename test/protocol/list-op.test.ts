import { concatHex, type Hex, slice, stringToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { ACTIONS, decodeListOp } from '../../src/protocol/list-op.ts';
import { opBytes } from '../model/encode-log.ts';

const RECORD: Hex = `0x${'5a'.repeat(20)}`;
const OPCODES = [1, 2, 3, 4] as const;
const ignored = (reason: string) => ({ kind: 'ignored', reason });
const withTag = (tag: string) => ({ kind: 'op', opcode: 3, record: RECORD, tag });
const decodeTagOp = (tag: Hex) => decodeListOp(opBytes(3, RECORD, tag));

describe('decodeListOp', () => {
  it.each([
    [1, 'follow'],
    [2, 'unfollow'],
    [3, 'tag'],
    [4, 'untag'],
  ] as const)('names opcode %i %s', (opcode, action) => {
    expect(ACTIONS[opcode]).toBe(action);
  });

  it.each([1, 2])('decodes the record of opcode %i, without a tag', (opcode) => {
    expect(decodeListOp(opBytes(opcode, RECORD))).toEqual({ kind: 'op', opcode, record: RECORD, tag: '' });
  });

  it.each([3, 4])('decodes the record and the tag of opcode %i', (opcode) => {
    const op = opBytes(opcode, RECORD, stringToHex('close'));
    expect(decodeListOp(op)).toEqual({ kind: 'op', opcode, record: RECORD, tag: 'close' });
  });

  describe.each([1, 2])('with opcode %i', (opcode) => {
    it.each<[string, Hex]>([
      ['one byte', '0x00'],
      ['bytes that are not UTF-8', '0xff80'],
      ['a tag', stringToHex('block')],
      ['more bytes than a tag may have', `0x${'61'.repeat(300)}`],
    ])('ignores trailing bytes: %s', (_, junk) => {
      expect(decodeListOp(opBytes(opcode, RECORD, junk))).toEqual({ kind: 'op', opcode, record: RECORD, tag: '' });
    });
  });

  it.each([
    ['version 0', '0x00010101', 'unknown-version'],
    ['version 2', '0x02010101', 'unknown-version'],
    ['version 255', '0xff010101', 'unknown-version'],
    ['opcode 0', '0x01000101', 'unknown-opcode'],
    ['opcode 5', '0x01050101', 'unknown-opcode'],
    ['opcode 16', '0x01100101', 'unknown-opcode'],
    ['opcode 255', '0x01ff0101', 'unknown-opcode'],
    ['record version 0', '0x01010001', 'unknown-record'],
    ['record version 2', '0x01010201', 'unknown-record'],
    ['record type 0', '0x01010100', 'unknown-record'],
    ['record type 2', '0x01010102', 'unknown-record'],
    ['record type 2 on a tag op', '0x01030102', 'unknown-record'],
  ] as const)('ignores an op with %s', (_, head, reason) => {
    expect(decodeListOp(concatHex([head, RECORD, stringToHex('close')]))).toEqual(ignored(reason));
  });

  it.each(OPCODES)('ignores opcode %i when its address is one byte short', (opcode) => {
    expect(decodeListOp(slice(opBytes(opcode, RECORD), 0, 23))).toEqual(ignored('op-too-short'));
  });

  it.each<Hex>(['0x', '0x01', '0x01010101'])('ignores the truncated op %s', (op) => {
    expect(decodeListOp(op)).toEqual(ignored('op-too-short'));
  });
});

describe('decodeListOp of a tag', () => {
  it.each([
    ['ASCII capitals', 'Top8', 'top8'],
    ['capitals beyond ASCII', 'ÄÇЖ', 'äçж'],
    ['a capital whose small form is two characters', 'İ', 'i̇'],
    ['a sigma at the end of a word', 'ΟΔΟΣ', 'οδος'],
  ])('lower-cases %s', (_, text, tag) => {
    expect(decodeTagOp(stringToHex(text))).toEqual(withTag(tag));
  });

  it.each([
    ['blanks, tabs and line ends', ' \t\r\n\v\fclose\n '],
    ['a no-break space', '\u00a0close\u00a0'],
    ['an em space', '\u2003close\u2003'],
    ['an ideographic space', '\u3000close\u3000'],
    ['line and paragraph separators', '\u2028close\u2029'],
    ['a leading byte order mark', '\ufeffclose'],
    ['a trailing byte order mark', 'close\ufeff'],
    ['two byte order marks', '\ufeff\ufeffclose'],
  ])('trims %s', (_, text) => {
    expect(decodeTagOp(stringToHex(text))).toEqual(withTag('close'));
  });

  it.each([
    ['a space inside', 'close friend'],
    ['a byte order mark inside', 'close\ufefffriend'],
    ['a zero-width space, which is not white space', '\u200bclose'],
    ['emoji, joined ones too', '👩‍🚀🔥'],
    ['combining marks as they are', 'cafe\u0301'],
    ['control characters other than NUL', 'a\u0001b'],
    ['digits and punctuation', '#1!'],
  ])('keeps %s', (_, text) => {
    expect(decodeTagOp(stringToHex(text))).toEqual(withTag(text));
  });

  it.each([
    ['inside', 'clo\0se'],
    ['at its end, as padding', 'close\0\0\0'],
    ['outside of white space', '\0 close \0'],
    ['outside of a byte order mark', '\0\ufeffclose'],
  ])('removes NUL characters %s', (_, text) => {
    expect(decodeTagOp(stringToHex(text))).toEqual(withTag('close'));
  });

  it.each([
    ['of ASCII', 'a'.repeat(255), 'a'.repeat(255)],
    ['of longer characters', `${'é'.repeat(127)}a`, `${'é'.repeat(127)}a`],
    ['with the NULs that are dropped', `a${'\0'.repeat(254)}`, 'a'],
    ['that grow when lower-cased', `${'İ'.repeat(127)}a`, `${'i̇'.repeat(127)}a`],
  ])('accepts 255 bytes %s', (_, text, tag) => {
    expect(decodeTagOp(stringToHex(text))).toEqual(withTag(tag));
  });

  it.each([
    ['of ASCII', 'a'.repeat(256)],
    ['in 128 characters', 'é'.repeat(128)],
    ['with a NUL that would be dropped', `${'a'.repeat(255)}\0`],
    ['with a space that would be trimmed', `${'a'.repeat(255)} `],
  ])('ignores a tag of 256 bytes %s', (_, text) => {
    expect(decodeTagOp(stringToHex(text))).toEqual(ignored('tag-too-long'));
  });

  it.each<[string, Hex]>([
    ['a lone continuation byte', '0x80'],
    ['a continuation byte after a letter', '0x6180'],
    ['a character cut short', '0xe282'],
    ['an overlong slash', '0xc0af'],
    ['an overlong NUL', '0xc080'],
    ['an overlong three-byte slash', '0xe080af'],
    ['half of a surrogate pair', '0xeda080'],
    ['a whole surrogate pair', '0xeda0bdedb080'],
    ['a code point above U+10FFFF', '0xf4908080'],
    ['a byte that UTF-8 never has', '0xff'],
  ])('ignores a tag that is not UTF-8: %s', (_, bytes) => {
    expect(decodeTagOp(bytes)).toEqual(ignored('tag-not-utf8'));
  });

  it('keeps no decoder state after a truncated character', () => {
    decodeTagOp('0xe282');
    expect(decodeTagOp(stringToHex('close'))).toEqual(withTag('close'));
  });

  it.each([
    ['no bytes', ''],
    ['white space', ' \t\n'],
    ['Unicode spaces', '\u3000\u2003'],
    ['a byte order mark', '\ufeff'],
    ['NULs', '\0\0'],
    ['NULs between white space', ' \0 '],
  ])('ignores a tag that is empty after normalisation: %s', (_, text) => {
    expect(decodeTagOp(stringToHex(text))).toEqual(ignored('tag-empty'));
  });

  it.each<[string, Hex]>([
    ['tag-empty', '0x'],
    ['tag-not-utf8', '0x80'],
    ['tag-too-long', `0x${'61'.repeat(256)}`],
  ])('ignores an untag op with the reason %s, like a tag op', (reason, bytes) => {
    expect(decodeListOp(opBytes(4, RECORD, bytes))).toEqual(ignored(reason));
  });
});
