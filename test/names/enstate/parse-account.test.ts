import { describe, expect, it } from 'vitest';
import { namelessProfile, parseAccount } from '../../../src/names/enstate/parse-account.ts';
import { blamedField } from '../../protocol/blamed-field.ts';
import { profileOf } from './fake-enstate.ts';
import { ada, NOW } from './set-up.ts';

const parse = (change: object) => parseAccount({ fresh: NOW, ...profileOf('ada.eth', ada), ...change }, ada, NOW);
/** Chains that the server calls otherwise, and their keys. */
const OTHER_KEYS = [
  ['optimism', 'op'],
  ['SLIP44:8453', 'base'],
  ['arbitrum', 'arb1'],
  ['polygon', 'matic'],
  ['gnosis', 'gno'],
] as const;
const blamed = (change: object) => blamedField(() => parse(change));

describe('the name of an account', () => {
  it.each(['ada.eth', 'zoë.eth', '🧙.ada.eth'])('is %s as it stands', (name) => {
    expect(parse({ name }).name).toBe(name);
  });

  it.each(['Ada.eth', 'ada', '', 'ada lovelace.eth', 'zoe\u0308.eth', ' ada.eth'])('is none when it is %j', (name) => {
    expect(parse({ name, records: { url: 'x' } })).toEqual(namelessProfile(NOW));
  });
});

describe('the time of a profile', () => {
  it.each([
    ['that of the answer', NOW - 600_000, NOW - 600_000],
    ['now when the answer is from later', NOW + 1, NOW],
  ])('is %s', (_, fresh, expected) => {
    expect(parse({ fresh }).fresh).toBe(expected);
  });

  it('is never later than now for a name that is not normal either', () => {
    expect(parse({ name: 'Ada.eth', fresh: NOW + 1 }).fresh).toBe(NOW);
  });
});

describe('the records', () => {
  it.each<[string, object, object]>([
    ['are as they stand', { url: ' X ', 'com.github': 'Ada' }, { url: ' X ', 'com.github': 'Ada' }],
    ['are only those with a value', { url: '', email: null, name: 'Ada' }, { name: 'Ada' }],
    ['may be long', { url: 'x'.repeat(16_384) }, { url: 'x'.repeat(16_384) }],
    ['may not be longer', { url: 'x'.repeat(16_385), name: 'Ada' }, { name: 'Ada' }],
    ['may have keys that objects have', { constructor: 'x' }, { constructor: 'x' }],
  ])('%s', (_, records, expected) => {
    expect(parse({ records }).records).toEqual(expected);
  });

  it('may have the key __proto__', () => {
    expect(Object.entries(parse({ records: JSON.parse('{"__proto__":"x"}') }).records)).toEqual([['__proto__', 'x']]);
  });
});

describe('the addresses on chains', () => {
  it.each(['eth', 'op', 'base', 'arb1', 'matic', 'gno'])('are in lower case for %s', (key) => {
    expect(parse({ chains: { [key]: '0xABcd' } }).chains).toEqual({ [key]: '0xabcd' });
  });

  it('are as they stand for other chains', () => {
    expect(parse({ chains: { btc: 'bc1Q', sol: 'AbC' } }).chains).toEqual({ btc: 'bc1Q', sol: 'AbC' });
  });

  it.each(OTHER_KEYS)('are told by our own key where the server calls a chain %s', (told, key) => {
    expect(parse({ chains: { [told]: '0xABcd' } }).chains).toEqual({ [key]: '0xabcd' });
  });
});

describe('the errors', () => {
  it.each(OTHER_KEYS)('of a chain that the server calls %s have our own key', (told, key) => {
    expect(parse({ errors: { [`chains.${told}`]: 'bad' } }).errors).toEqual({ [`chains.${key}`]: 'bad' });
  });

  it.each(OTHER_KEYS)('of a text that is too long have our own key for %s', (told, key) => {
    expect(Object.keys(parse({ chains: { [told]: 'x'.repeat(16_385) } }).errors)).toEqual([`chains.${key}`]);
  });

  it.each(OTHER_KEYS)('of a record keep its key, though it is that of a chain: %s', (told) => {
    expect(parse({ errors: { [`records.${told}`]: 'bad' } }).errors).toEqual({ [`records.${told}`]: 'bad' });
  });

  it.each<[string, object, object]>([
    ['of an image are those of its record', { 'image.avatar': 'gone' }, { 'records.avatar': 'gone' }],
    ['of an image keep the rest of the key', { 'image.image.x': 'gone' }, { 'records.image.x': 'gone' }],
    ['of a record stay', { 'records.com.github': 'bad' }, { 'records.com.github': 'bad' }],
    ['of a chain stay', { 'chains.btc': 'bad' }, { 'chains.btc': 'bad' }],
    ['of anything else stay', { addr: 'bad', contenthash: 'bad' }, { addr: 'bad', contenthash: 'bad' }],
    ['are cut where they go on for long', { addr: 'x'.repeat(301) }, { addr: 'x'.repeat(300) }],
  ])('%s', (_, errors, expected) => {
    expect(parse({ errors }).errors).toEqual(expected);
  });

  it.each(['records', 'chains'])('tell of texts that are too long in the %s', (field) => {
    const told = parse({ [field]: { x: 'x'.repeat(16_385) }, errors: { addr: 'bad' } });
    expect(told.errors).toEqual({ addr: 'bad', [`${field}.x`]: 'longer than 16384 characters' });
  });
});

describe('the images', () => {
  it.each<[string, object, object]>([
    ['are empty when none are told', {}, { avatar: '', header: '' }],
    ['are empty when null is told', { avatar: null, header: null }, { avatar: '', header: '' }],
    [
      'are those that are told',
      { avatar: 'https://a', header: 'https://h' },
      { avatar: 'https://a', header: 'https://h' },
    ],
    ['are not taken from the records', { records: { avatar: 'ipfs://x' } }, { avatar: '', header: '' }],
  ])('%s', (_, change, expected) => {
    expect(parse(change).images).toEqual(expected);
  });
});

describe('a profile is refused with the name of the field', () => {
  it.each([undefined, null, 7, {}])('name when it is %j', (name) => {
    expect(blamed({ name })).toBe('name');
  });

  it.each([undefined, null, -1, 1.5, 2 ** 53, '1700000000000'])('fresh when it is %j', (fresh) => {
    expect(blamed({ fresh })).toBe('fresh');
  });

  it.each(['avatar', 'header', 'display', 'resolver'])('%s when it is no text', (field) => {
    expect(blamed({ [field]: 7 })).toBe(field);
  });

  describe.each(['records', 'chains', 'errors'])('%s when it', (field) => {
    it.each([undefined, null, 'text', 7, ['x']])('is %j', (value) => {
      expect(blamed({ [field]: value })).toBe(field);
    });

    it('holds something else than text', () => {
      expect(blamed({ [field]: { fine: 'x', wrong: 7 } })).toBe(`${field}.wrong`);
    });
  });

  it.each([undefined, null, '0x12', `${ada}0`])('address when it is %j', (address) => {
    expect(blamed({ address })).toBe('address');
  });

  it('even when its name is not normal', () => {
    expect(blamed({ name: 'Ada.eth', records: 7 })).toBe('records');
  });
});
