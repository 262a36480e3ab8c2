import { describe, expect, it } from 'vitest';
import { namelessProfile, parseAccount } from '../../../src/names/enstate/parse-account.ts';
import { blamedField } from '../../protocol/blamed-field.ts';
import { profileOf } from './fake-enstate.ts';
import { ada, NOW } from './set-up.ts';

const parse = (change: object) => parseAccount({ fresh: NOW, ...profileOf('ada.eth', ada), ...change }, ada, NOW);
/** Chain keys of enstate that differ from ours. */
const OTHER_KEYS = [
  ['optimism', 'op'],
  ['SLIP44:8453', 'base'],
  ['arbitrum', 'arb1'],
  ['polygon', 'matic'],
  ['gnosis', 'gno'],
] as const;
const blamed = (change: object) => blamedField(() => parse(change));

describe('parseAccount: the name', () => {
  it.each(['ada.eth', 'zoë.eth', '🧙.ada.eth'])('keeps %s', (name) => {
    expect(parse({ name }).name).toBe(name);
  });

  it.each(['Ada.eth', 'ada', '', 'ada lovelace.eth', 'zoe\u0308.eth', ' ada.eth'])('drops %j', (name) => {
    expect(parse({ name, records: { url: 'x' } })).toEqual(namelessProfile(NOW));
  });
});

describe('parseAccount: the time', () => {
  it.each([
    ['that of the response', NOW - 600_000, NOW - 600_000],
    ['clamped to now if the response has a later one', NOW + 1, NOW],
  ])('is %s', (_, fresh, expected) => {
    expect(parse({ fresh }).fresh).toBe(expected);
  });

  it('is clamped for a name that is not normalised too', () => {
    expect(parse({ name: 'Ada.eth', fresh: NOW + 1 }).fresh).toBe(NOW);
  });
});

describe('parseAccount: the records', () => {
  it.each<[string, object, object]>([
    ['are kept unchanged', { url: ' X ', 'com.github': 'Ada' }, { url: ' X ', 'com.github': 'Ada' }],
    ['exclude empty values', { url: '', email: null, name: 'Ada' }, { name: 'Ada' }],
    ['may have the maximum length', { url: 'x'.repeat(16_384) }, { url: 'x'.repeat(16_384) }],
    ['exclude over-long values', { url: 'x'.repeat(16_385), name: 'Ada' }, { name: 'Ada' }],
    ['may have the name of an object property as key', { constructor: 'x' }, { constructor: 'x' }],
  ])('%s', (_, records, expected) => {
    expect(parse({ records }).records).toEqual(expected);
  });

  it('accept the key __proto__', () => {
    expect(Object.entries(parse({ records: JSON.parse('{"__proto__":"x"}') }).records)).toEqual([['__proto__', 'x']]);
  });
});

describe('parseAccount: the addresses', () => {
  it.each(['eth', 'op', 'base', 'arb1', 'matic', 'gno'])('are converted to lower case for %s', (key) => {
    expect(parse({ chains: { [key]: '0xABcd' } }).chains).toEqual({ [key]: '0xabcd' });
  });

  it('are unchanged for other chains', () => {
    expect(parse({ chains: { btc: 'bc1Q', sol: 'AbC' } }).chains).toEqual({ btc: 'bc1Q', sol: 'AbC' });
  });

  it.each(OTHER_KEYS)('have our chain key in place of %s', (theirs, key) => {
    expect(parse({ chains: { [theirs]: '0xABcd' } }).chains).toEqual({ [key]: '0xabcd' });
  });
});

describe('parseAccount: the errors', () => {
  it.each(OTHER_KEYS)('have our chain key in place of %s', (theirs, key) => {
    expect(parse({ errors: { [`chains.${theirs}`]: 'bad' } }).errors).toEqual({ [`chains.${key}`]: 'bad' });
  });

  it.each(OTHER_KEYS)('of an over-long address have our chain key in place of %s', (theirs, key) => {
    expect(Object.keys(parse({ chains: { [theirs]: 'x'.repeat(16_385) } }).errors)).toEqual([`chains.${key}`]);
  });

  it.each(OTHER_KEYS)('keep the key of a record that has the name of a chain: %s', (theirs) => {
    expect(parse({ errors: { [`records.${theirs}`]: 'bad' } }).errors).toEqual({ [`records.${theirs}`]: 'bad' });
  });

  it.each<[string, object, object]>([
    ['of an image become errors of its record', { 'image.avatar': 'gone' }, { 'records.avatar': 'gone' }],
    ['of an image keep the rest of the key', { 'image.image.x': 'gone' }, { 'records.image.x': 'gone' }],
    ['of a record keep their key', { 'records.com.github': 'bad' }, { 'records.com.github': 'bad' }],
    ['of a chain keep their key', { 'chains.btc': 'bad' }, { 'chains.btc': 'bad' }],
    ['of anything else keep their key', { addr: 'bad', contenthash: 'bad' }, { addr: 'bad', contenthash: 'bad' }],
    ['are truncated', { addr: 'x'.repeat(301) }, { addr: 'x'.repeat(300) }],
  ])('%s', (_, errors, expected) => {
    expect(parse({ errors }).errors).toEqual(expected);
  });

  it.each(['records', 'chains'])('report over-long texts in the %s', (field) => {
    const account = parse({ [field]: { x: 'x'.repeat(16_385) }, errors: { addr: 'bad' } });
    expect(account.errors).toEqual({ addr: 'bad', [`${field}.x`]: 'longer than 16384 characters' });
  });
});

describe('parseAccount: the images', () => {
  it.each<[string, object, object]>([
    ['are empty if the response has none', {}, { avatar: '', header: '' }],
    ['are empty if they are null in the response', { avatar: null, header: null }, { avatar: '', header: '' }],
    [
      'are those of the response',
      { avatar: 'https://a', header: 'https://h' },
      { avatar: 'https://a', header: 'https://h' },
    ],
    ['are not taken from the records', { records: { avatar: 'ipfs://x' } }, { avatar: '', header: '' }],
  ])('%s', (_, change, expected) => {
    expect(parse(change).images).toEqual(expected);
  });
});

describe('parseAccount with invalid input', () => {
  it.each([undefined, null, 7, {}])('rejects the name %j', (name) => {
    expect(blamed({ name })).toBe('name');
  });

  it.each([undefined, null, -1, 1.5, 2 ** 53, '1700000000000'])('rejects the time %j', (fresh) => {
    expect(blamed({ fresh })).toBe('fresh');
  });

  it.each(['avatar', 'header', 'display', 'resolver'])('rejects a %s that is not text', (field) => {
    expect(blamed({ [field]: 7 })).toBe(field);
  });

  describe.each(['records', 'chains', 'errors'])('%s', (field) => {
    it.each([undefined, null, 'text', 7, ['x']])('is rejected, and named in the error, if it is %j', (value) => {
      expect(blamed({ [field]: value })).toBe(field);
    });

    it('is rejected, with the key named in the error, if a value is not text', () => {
      expect(blamed({ [field]: { fine: 'x', wrong: 7 } })).toBe(`${field}.wrong`);
    });
  });

  it.each([undefined, null, '0x12', `${ada}0`])('rejects the address %j', (address) => {
    expect(blamed({ address })).toBe('address');
  });

  it('validates a profile whose name is not normalised too', () => {
    expect(blamed({ name: 'Ada.eth', records: 7 })).toBe('records');
  });
});
