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

describe('a profile', () => {
  it('keeps what enstate tells, and drops the fields that answers do not have', () => {
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
      avatar: 'https://img.example/ada.png',
      fresh: 1_700_000_000_000,
      ens: expect.any(String),
    });
    expect(JSON.parse(profile.ens)).toEqual(ens);
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

  it('has a default for all but its address and its time', () => {
    expect(parseProfile(bare)).toMatchObject({ address: ADDRESS, name: '', avatar: '', fresh: bare.fresh });
    expect(ensOf(bare)).toEqual(defaults);
  });

  it.each(Object.keys(defaults).filter((field) => field !== 'fresh'))('may have null for %s', (field) => {
    expect(ensOf({ ...bare, [field]: null })).toEqual(defaults);
  });

  it('of an account without one is the default, never fetched', () => {
    expect(JSON.parse(emptyProfile(ADDRESS))).toEqual({ ...defaults, fresh: 0 });
  });

  it('has its address and its resolver in lower case', () => {
    const upper = `0x${ADDRESS.slice(2).toUpperCase()}`;
    const profile = parseProfile({ ...bare, address: upper, resolver: upper });
    expect([profile.address, JSON.parse(profile.ens).resolver]).toEqual([ADDRESS, ADDRESS]);
  });

  it.each(['Ada.eth', 'ada', 'ada lovelace.eth', 'zoe\u0308.eth', ' ada.eth'])('has no name when it is %j', (name) => {
    expect(parseProfile({ ...bare, name }).name).toBe('');
    expect(ensOf({ ...bare, name })).toMatchObject({ name: '', display: SHORT });
  });
});

describe('the display name', () => {
  it.each([
    ['is the name in the letter case that its holder prefers', 'ada.eth', 'AdA.eth', 'AdA.eth'],
    ['is the name when there is no preference', 'ada.eth', undefined, 'ada.eth'],
    ['is the name when the preference is empty', 'ada.eth', '', 'ada.eth'],
    ['is the name when the preference is another name', 'ada.eth', 'Bob.eth', 'ada.eth'],
    ['is the name when the preference is no name', 'ada.eth', 'Ada Lovelace', 'ada.eth'],
    ['is the shortened address without a name', '', 'Ada.eth', SHORT],
    ['is the shortened address when the name is not normal', 'Ada.eth', 'Ada.eth', SHORT],
  ])('%s', (_, name, display, shown) => {
    expect(ensOf({ ...bare, name, display }).display).toBe(shown);
  });
});

describe('the records', () => {
  it.each<[string, object, object]>([
    ['are four, all empty, when none are told', {}, noRecords],
    ['are four and what else is told', { url: 'https://ada.example' }, { ...noRecords, url: 'https://ada.example' }],
    ['are empty where null is told', { avatar: null, url: null }, { ...noRecords, url: '' }],
    ['may have an empty key', { '': 'x' }, { ...noRecords, '': 'x' }],
    [
      'may have keys that objects have',
      { constructor: 'x', toString: 'y' },
      { ...noRecords, constructor: 'x', toString: 'y' },
    ],
    ['may have keys that JSON escapes', { '"\\': '"\\\n' }, { ...noRecords, '"\\': '"\\\n' }],
    ['may have keys of several lines', { 'a\nb': 'x' }, { ...noRecords, 'a\nb': 'x' }],
  ])('%s', (_, records, expected) => {
    expect(ensOf({ ...ada, records }).records).toEqual(expected);
  });

  it('may have the key __proto__', () => {
    const ens = parseProfile({ ...ada, records: JSON.parse('{"__proto__":"x"}') }).ens;
    expect(ens).toContain('"__proto__":"x"');
  });
});

describe('text that not every engine can hold', () => {
  it.each<[string, object, object]>([
    ['NULs from a text', { avatar: 'a\0b\0' }, { avatar: 'ab' }],
    ['NULs from a record', { records: { url: '\0x' } }, { records: { ...noRecords, url: 'x' } }],
    ['NULs from a key', { records: { 'ur\0l': 'x' } }, { records: { ...noRecords, url: 'x' } }],
    ['half a surrogate pair', { avatar: 'a\ud83db' }, { avatar: 'a\ufffdb' }],
  ])('loses %s', (_, change, expected) => {
    expect(ensOf({ ...ada, ...change })).toMatchObject(expected);
  });

  it('is mended in the columns too', () => {
    expect(parseProfile({ ...ada, avatar: 'a\0\ud83d' }).avatar).toBe('a\ufffd');
  });
});

describe('a profile is refused with the name of the field', () => {
  it.each([undefined, null, 7, '', 'ada.eth', ADDRESS.slice(2), `${ADDRESS}0`])('address when it is %j', (address) => {
    expect(blamed({ address })).toBe('address');
  });

  it.each([undefined, null, -1, 1.5, 2 ** 53, '1700000000000'])('fresh when it is %j', (fresh) => {
    expect(blamed({ fresh })).toBe('fresh');
  });

  describe.each(['name', 'avatar', 'header', 'display', 'resolver'])('%s when it is', (field) => {
    it.each([7, true, {}, ['x']])('%j', (value) => {
      expect(blamed({ [field]: value })).toBe(field);
    });
  });

  describe.each(['records', 'chains', 'errors'])('%s when it', (field) => {
    it.each(['text', 7, ['x']])('is %j', (value) => {
      expect(blamed({ [field]: value })).toBe(field);
    });

    it('holds something else than text', () => {
      expect(blamed({ [field]: { fine: 'x', wrong: 7 } })).toBe(`${field}.wrong`);
    });
  });

  it.each([null, undefined, 'ada.eth', 7, []].map((value) => ({ value })))(
    'when it is not one but $value',
    ({ value }) => {
      expect(blamedField(() => parseProfile(value))).toMatch('expected a JSON object');
    },
  );
});
