import { type Hex, numberToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { parseRawLog } from '../../src/protocol/parse-log.ts';
import { addressWord, word } from '../model/encode-log.ts';
import { TOPICS } from '../model/mainnet.ts';
import { blamedField } from './blamed-field.ts';

const ANN: Hex = `0x${'a1'.repeat(20)}`;
/** The last second with a four-digit year. */
const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;
const good = {
  chainId: 8453,
  address: ANN,
  topics: [TOPICS.listOp, word(171n)],
  data: '0xabcd',
  blockNumber: '0x133ec20',
  blockHash: word(0xfeedn),
  blockTimestamp: '0x66f00000',
  logIndex: '0x1f',
};
const parsed = {
  chainId: 8453,
  address: ANN,
  topics: [TOPICS.listOp, word(171n)],
  data: '0xabcd',
  blockNumber: 20_180_000,
  blockHash: word(0xfeedn),
  blockTime: 1_727_004_672,
  logIndex: 31,
};
const blamed = (change: object) => blamedField(() => parseRawLog({ ...good, ...change }));

describe('parseRawLog', () => {
  it('parses a log of eth_getLogs and ignores other fields', () => {
    const more = { removed: false, transactionHash: word(1n), transactionIndex: '0x0', blobs: [] };
    expect(parseRawLog({ ...good, ...more })).toEqual(parsed);
  });

  it('lower-cases all hex values', () => {
    const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`;
    const shouted = {
      address: upper(good.address),
      topics: good.topics.map(upper),
      data: upper(good.data),
      blockHash: upper(good.blockHash),
      blockNumber: upper(good.blockNumber),
      logIndex: upper(good.logIndex),
    };
    expect(parseRawLog({ ...good, ...shouted })).toEqual(parsed);
  });

  it.each<[string, object]>([
    ['no data', { data: '0x' }],
    ['no topics', { topics: [] }],
    ['four topics', { topics: [TOPICS.transfer, addressWord(ANN), addressWord(ANN), word(0n)] }],
  ])('accepts a log with %s', (_, change) => {
    expect(parseRawLog({ ...good, ...change })).toEqual({ ...parsed, ...change });
  });

  it.each([
    ['blockNumber', 0, 'blockNumber'],
    ['blockNumber', Number.MAX_SAFE_INTEGER, 'blockNumber'],
    ['logIndex', 2 ** 31 - 1, 'logIndex'],
    ['blockTimestamp', LAST_SECOND, 'blockTime'],
  ])('accepts the %s %i', (field, number, name) => {
    expect(parseRawLog({ ...good, [field]: numberToHex(number) })).toMatchObject({ [name]: number });
  });

  it('rejects a log that was removed by a reorg', () => {
    expect(blamed({ removed: true })).toBe('removed');
  });

  it.each([null, undefined, 'text', 7, true, []].map((value) => ({ value })))('rejects $value', ({ value }) => {
    expect(blamedField(() => parseRawLog(value))).toMatch('expected a JSON object');
  });
});

describe('parseRawLog names the invalid field', () => {
  it.each(Object.keys(good))('rejects a log without %s', (field) => {
    expect(blamed({ [field]: undefined })).toBe(field);
  });

  it.each(Object.keys(good))('rejects a log whose %s is null', (field) => {
    expect(blamed({ [field]: null })).toBe(field);
  });

  it.each([0, -1, 1.5, 2 ** 53, Number.NaN, '8453', '0x2105'])('rejects the chainId %j', (chainId) => {
    expect(blamed({ chainId })).toBe('chainId');
  });

  describe.each(['blockNumber', 'blockTimestamp', 'logIndex'])('in %s', (field) => {
    it.each([
      ['a number', 31],
      ['decimal text', '31'],
      ['empty', ''],
      ['a prefix without digits', '0x'],
      ['not hex', '0xfg'],
      ['negative', '-0x1'],
      ['followed by a space', '0x1 '],
      ['followed by a line end', '0x1\n'],
      ['2^53', numberToHex(2n ** 53n)],
      ['2^256 - 1', numberToHex(2n ** 256n - 1n)],
    ])('rejects a value that is %s', (_, value) => {
      expect(blamed({ [field]: value })).toBe(field);
    });
  });

  it('rejects a logIndex that does not fit a column of 4 bytes', () => {
    expect(blamed({ logIndex: numberToHex(2 ** 31) })).toBe('logIndex');
  });

  it('rejects a blockTimestamp after the year 9999', () => {
    expect(blamed({ blockTimestamp: numberToHex(LAST_SECOND + 1) })).toBe('blockTimestamp');
  });

  it.each([
    ['address', 'too short', ANN.slice(0, -2)],
    ['address', 'too long', `${ANN}00`],
    ['address', 'without prefix', ANN.slice(2)],
    ['address', 'not hex', ANN.replace('a', 'g')],
    ['blockHash', 'too short', word(1n).slice(0, -2)],
    ['blockHash', 'too long', `${word(1n)}00`],
    ['blockHash', 'a number', 1],
    ['data', 'half a byte too long', '0xabc'],
    ['data', 'without prefix', 'abcd'],
    ['data', 'not hex', '0xzz'],
    ['data', 'empty', ''],
    ['data', 'followed by a line end', '0xabcd\n'],
    ['topics', 'text', word(1n)],
    ['topics', 'five topics', Array.from({ length: 5 }, () => word(1n))],
  ])('rejects a log whose %s is %s', (field, _, value) => {
    expect(blamed({ [field]: value })).toBe(field);
  });

  it.each([
    ['too short', word(1n).slice(0, -2)],
    ['too long', `${word(1n)}00`],
    ['empty', '0x'],
    ['half a byte short', word(1n).slice(0, -1)],
    ['not hex', word(1n).replace('1', 'x')],
    ['without prefix', word(1n).slice(2)],
    ['null', null],
  ])('names the index of a topic that is %s', (_, topic) => {
    expect(blamed({ topics: [TOPICS.listOp, topic] })).toBe('topics[1]');
  });
});
