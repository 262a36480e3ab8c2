import { describe, expect, it } from 'vitest';
import type { FetchedProfile } from '../../src/names/profile-source.ts';
import { mergeProfile } from '../../src/names/write-profiles.ts';
import type { Row } from '../../src/store/schema.ts';

const ADDRESS = '0x1234567890abcdef1234567890abcdef1234abcd';
const GATEWAYS = { ipfs: 'https://ipfs.example', arweave: 'https://ar.example', network: 'mainnet' } as const;
const fetched: FetchedProfile = {
  name: 'ada.eth',
  display: '',
  resolver: ADDRESS,
  records: { avatar: 'https://img.example/1.png', url: 'https://ada.example' },
  chains: { eth: ADDRESS, btc: 'bc1qada' },
  errors: {},
  fresh: 1_000,
};
const merge = (changes: Partial<FetchedProfile>, before?: Row<'profiles'>) => {
  const row = mergeProfile(ADDRESS, { ...fetched, ...changes }, before, GATEWAYS);
  return { ...row, ens: JSON.parse(row.ens) };
};
const before = mergeProfile(ADDRESS, fetched, undefined, GATEWAYS);

describe('mergeProfile', () => {
  it('builds the row with the serialised response', () => {
    expect(merge({})).toEqual({
      address: ADDRESS,
      name: 'ada.eth',
      search_name: 'ada.eth',
      avatar: 'https://img.example/1.png',
      header: '',
      fresh: 1_000,
      ens: {
        name: 'ada.eth',
        avatar: 'https://img.example/1.png',
        header: '',
        display: 'ada.eth',
        records: {
          avatar: 'https://img.example/1.png',
          description: '',
          header: '',
          name: '',
          url: 'https://ada.example',
        },
        chains: { eth: ADDRESS, btc: 'bc1qada' },
        fresh: 1_000,
        resolver: ADDRESS,
        errors: {},
      },
    });
  });

  it('removes a record that was unset', () => {
    const { ens } = merge({ records: {}, chains: {} }, before);
    expect(ens).toMatchObject({ avatar: '', records: { avatar: '' }, chains: {}, errors: {} });
    expect(ens.records).not.toHaveProperty('url');
  });

  it('keeps the last value of a record that failed, with the error', () => {
    const errors = { 'records.url': 'the gateway responded with HTTP status 500' };
    const { ens } = merge({ records: { avatar: 'https://img.example/2.png' }, errors }, before);
    expect(ens.records).toMatchObject({ avatar: 'https://img.example/2.png', url: 'https://ada.example' });
    expect(ens.errors).toEqual(errors);
  });

  it('keeps the last address on a chain that failed', () => {
    const { ens } = merge({ chains: { eth: ADDRESS }, errors: { 'chains.btc': 'reverted' } }, before);
    expect(ens.chains).toEqual({ eth: ADDRESS, btc: 'bc1qada' });
  });

  it('keeps the last image when its record failed', () => {
    const { avatar, ens } = merge({ records: {}, errors: { 'records.avatar': 'reverted' } }, before);
    expect([avatar, ens.avatar, ens.records.avatar]).toEqual(Array(3).fill('https://img.example/1.png'));
  });

  it('omits a failed record that has no last value', () => {
    const { ens } = merge({ errors: { 'records.status': 'reverted' } }, before);
    expect(ens.records).not.toHaveProperty('status');
    expect(ens.errors).toEqual({ 'records.status': 'reverted' });
  });

  it('keeps no last value of another name', () => {
    const other = { name: 'bob.eth', records: {}, errors: { 'records.avatar': 'reverted', 'records.url': 'reverted' } };
    const { avatar, ens } = merge(other, before);
    expect(avatar).toBe('');
    expect(ens.records).toEqual({ avatar: '', description: '', header: '', name: '' });
  });

  it('clears the error of a record that works again', () => {
    const failed = mergeProfile(ADDRESS, { ...fetched, errors: { 'records.url': 'reverted' } }, before, GATEWAYS);
    expect(merge({ fresh: 2_000 }, failed).ens.errors).toEqual({});
  });

  it('stores an error for an unsupported image, and its text record unchanged', () => {
    const { avatar, ens } = merge({ records: { avatar: 'javascript:alert(1)' } }, before);
    expect(avatar).toBe('');
    expect(ens).toMatchObject({ avatar: '', records: { avatar: 'javascript:alert(1)' } });
    expect(ens.errors).toEqual({ 'records.avatar': expect.stringMatching(/^unsupported image/) });
  });

  it('empties the profile of an account that has no primary name', () => {
    const none = { name: '', resolver: '', records: {}, chains: {}, fresh: 2_000 };
    expect(merge(none, before)).toMatchObject({
      name: '',
      avatar: '',
      fresh: 2_000,
      ens: { name: '', display: '0x1234…abcd', chains: {}, errors: {} },
    });
  });
});
