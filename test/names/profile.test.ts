import { describe, expect, it } from 'vitest';
import { emptyProfile, parseProfile } from '../../src/names/profile.ts';
import { blamedField } from '../protocol/blamed-field.ts';

const ADDRESS = '0x1234567890abcdef1234567890abcdef1234abcd';
const SHORT = '0x1234…abcd';
const bare = { address: ADDRESS, fresh: 1_700_000_000_000 };
const ada = { ...bare, name: 'ada.eth' };
const noRecords = { avatar: '', description: '', header: '', name: '' };
const ensOf = (value: unknown) => JSON.parse(parseProfile(value).ens);
const blamed = (change: object) => blamedField(() => parseProfile({ ...ada, ...change }));

describe('parseProfile', () => {
  it('keeps the fields of the response and drops all others', () => {
    const ens = {
      name: 'ada.eth',
      avatar: 'https://img.example/ada.png',
      header: 'https://img.example/header.png',
      display: 'Ada.eth',
      records: { ...noRecords, description: 'engines', 'com.twitter': 'ada' },
      chains: { eth: ADDRESS, btc: 'bc1qExample' },
      fresh: 1_700_000_000_000,
      resolver: '0x231b0ee14048e9dccd1d247744d114a4eb5e8e63',
      errors: { avatar: 'not found' },
    };
    const profile = parseProfile({ ...ens, address: ADDRESS, contenthash: 'ipfs://x', ccip_urls: [] });
    expect(profile).toEqual({
      address: ADDRESS,
      name: 'ada.eth',
      search_name: 'ada.eth',
      avatar: 'https://img.example/ada.png',
      header: 'https://img.example/header.png',
      fresh: 1_700_000_000_000,
      ens: expect.any(String),
    });
    expect(JSON.parse(profile.ens)).toEqual({ ...ens, records: { ...ens.records, contenthash: 'ipfs://x' } });
  });

  const defaults = {
    name: '',
    avatar: '',
    header: '',
    display: SHORT,
    records: noRecords,
    chains: {},
    fresh: bare.fresh,
    resolver: '',
    errors: {},
  };

  it('has a default for every field except address and fresh', () => {
    expect(parseProfile(bare)).toMatchObject({ address: ADDRESS, name: '', avatar: '', fresh: bare.fresh });
    expect(ensOf(bare)).toEqual(defaults);
  });

  it.each(Object.keys(defaults).filter((field) => field !== 'fresh'))('treats null as the default for %s', (field) => {
    expect(ensOf({ ...bare, [field]: null })).toEqual(defaults);
  });

  it('gives an account without a profile the defaults, with fresh 0', () => {
    expect(JSON.parse(emptyProfile(ADDRESS))).toEqual({ ...defaults, fresh: 0 });
  });

  it('converts address and resolver to lower case', () => {
    const upper = `0x${ADDRESS.slice(2).toUpperCase()}`;
    const profile = parseProfile({ ...bare, address: upper, resolver: upper });
    expect([profile.address, JSON.parse(profile.ens).resolver]).toEqual([ADDRESS, ADDRESS]);
  });

  it.each(['Ada.eth', 'ada', 'ada lovelace.eth', 'zoe\u0308.eth', ' ada.eth'])(
    'drops the name %j, which is not normalised',
    (name) => {
      expect(parseProfile({ ...bare, name }).name).toBe('');
      expect(ensOf({ ...bare, name })).toMatchObject({ name: '', display: SHORT });
    },
  );
});

describe('display', () => {
  it.each([
    ['is the name in the letter case that its holder prefers', 'ada.eth', 'AdA.eth', 'AdA.eth'],
    ['is the name if there is no preference', 'ada.eth', undefined, 'ada.eth'],
    ['is the name if the preference is empty', 'ada.eth', '', 'ada.eth'],
    ['is the name if the preference is another name', 'ada.eth', 'Bob.eth', 'ada.eth'],
    ['is the name if the preference is not a name', 'ada.eth', 'Ada Lovelace', 'ada.eth'],
    ['is the shortened address if there is no name', '', 'Ada.eth', SHORT],
    ['is the shortened address if the name is not normalised', 'Ada.eth', 'Ada.eth', SHORT],
  ])('%s', (_, name, display, shown) => {
    expect(ensOf({ ...bare, name, display }).display).toBe(shown);
  });
});

describe('parseProfile with records', () => {
  it.each<[string, object, object]>([
    ['adds four empty default records', {}, noRecords],
    [
      'adds the default records to the given ones',
      { url: 'https://ada.example' },
      { ...noRecords, url: 'https://ada.example' },
    ],
    ['converts null to an empty record', { avatar: null, url: null }, { ...noRecords, url: '' }],
    ['accepts an empty key', { '': 'x' }, { ...noRecords, '': 'x' }],
    [
      'accepts the names of object properties as keys',
      { constructor: 'x', toString: 'y' },
      { ...noRecords, constructor: 'x', toString: 'y' },
    ],
    ['accepts keys that JSON escapes', { '"\\': '"\\\n' }, { ...noRecords, '"\\': '"\\\n' }],
    ['accepts keys with line breaks', { 'a\nb': 'x' }, { ...noRecords, 'a\nb': 'x' }],
  ])('%s', (_, records, expected) => {
    expect(ensOf({ ...ada, records }).records).toEqual(expected);
  });

  it('accepts the key __proto__', () => {
    const ens = parseProfile({ ...ada, records: JSON.parse('{"__proto__":"x"}') }).ens;
    expect(ens).toContain('"__proto__":"x"');
  });
});

describe('parseProfile with text that PostgreSQL cannot store', () => {
  it.each<[string, object, object]>([
    ['NULs from a field', { avatar: 'a\0b\0' }, { avatar: 'ab' }],
    ['NULs from a record', { records: { url: '\0x' } }, { records: { ...noRecords, url: 'x' } }],
    ['NULs from a key', { records: { 'ur\0l': 'x' } }, { records: { ...noRecords, url: 'x' } }],
    ['lone surrogates from a field', { avatar: 'a\ud83db' }, { avatar: 'a\ufffdb' }],
  ])('removes %s', (_, change, expected) => {
    expect(ensOf({ ...ada, ...change })).toMatchObject(expected);
  });

  it('sanitises the columns too', () => {
    expect(parseProfile({ ...ada, avatar: 'a\0\ud83d' }).avatar).toBe('a\ufffd');
  });
});

describe('parseProfile with invalid input', () => {
  it.each([undefined, null, 7, '', 'ada.eth', ADDRESS.slice(2), `${ADDRESS}0`])('rejects the address %j', (address) => {
    expect(blamed({ address })).toBe('address');
  });

  it.each([undefined, null, -1, 1.5, 2 ** 53, 8.64e15 + 1, '1700000000000'])('rejects the time %j', (fresh) => {
    expect(blamed({ fresh })).toBe('fresh');
  });

  describe.each(['name', 'avatar', 'header', 'display', 'resolver'])('%s', (field) => {
    it.each([7, true, {}, ['x']])('is rejected, and named in the error, if it is %j', (value) => {
      expect(blamed({ [field]: value })).toBe(field);
    });
  });

  describe.each(['records', 'chains', 'errors'])('%s', (field) => {
    it.each(['text', 7, ['x']])('is rejected, and named in the error, if it is %j', (value) => {
      expect(blamed({ [field]: value })).toBe(field);
    });

    it('is rejected, with the key named in the error, if a value is not text', () => {
      expect(blamed({ [field]: { fine: 'x', wrong: 7 } })).toBe(`${field}.wrong`);
    });
  });

  it.each([null, undefined, 'ada.eth', 7, []].map((value) => ({ value })))(
    'rejects $value, which is not an object',
    ({ value }) => {
      expect(blamedField(() => parseProfile(value))).toMatch('expected a JSON object');
    },
  );
});
