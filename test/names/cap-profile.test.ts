import { describe, expect, it } from 'vitest';
import { boundedEns, LEFT_OUT, MAX_PROFILE_BYTES, parseProfile } from '../../src/names/profile.ts';
import { type FetchedProfile, TEXT_KEYS } from '../../src/names/profile-source.ts';
import { mergeProfile } from '../../src/names/write-profiles.ts';

const ADDRESS = '0x1234567890abcdef1234567890abcdef1234abcd';
const GATEWAYS = { ipfs: 'https://ipfs.example', arweave: 'https://ar.example', network: 'mainnet' } as const;
const imported = (profile: object) => parseProfile({ address: ADDRESS, name: 'ada.eth', fresh: 5, ...profile });
const fetched = (profile: Partial<FetchedProfile>) => {
  const empty = { name: 'ada.eth', display: '', resolver: ADDRESS, records: {}, chains: {}, errors: {}, fresh: 5 };
  return mergeProfile(ADDRESS, { ...empty, ...profile }, undefined, GATEWAYS);
};
const bytesOf = (text: string) => Buffer.byteLength(text);
const textsOf = (length: number) => Object.fromEntries(TEXT_KEYS.map((key) => [key, 'x'.repeat(length)]));

describe('a stored profile', () => {
  it.each([
    ['fetched with the longest texts', () => fetched({ records: textsOf(16_384) })],
    ['fetched with texts that JSON escapes', () => fetched({ records: { description: '\u0001'.repeat(16_384) } })],
    ['fetched with long addresses', () => fetched({ chains: { btc: 'x'.repeat(20_000), eth: 'y'.repeat(9_000) } })],
    ['fetched with long errors', () => fetched({ errors: { 'records.url': 'x'.repeat(50_000) } })],
    ['imported with long texts', () => imported({ avatar: 'é'.repeat(9_000), header: 'é'.repeat(9_000) })],
    ['imported with a long resolver', () => imported({ resolver: 'x'.repeat(99_999) })],
    [
      'imported with many records',
      () => imported({ records: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`${i}`, ''])) }),
    ],
    ['imported with a long key', () => imported({ records: { ['k'.repeat(99_999)]: 'v' } })],
  ])('that is %s has a bounded length', (_, build) => {
    const { ens, avatar, header } = build();
    expect(bytesOf(ens)).toBeLessThanOrEqual(MAX_PROFILE_BYTES);
    expect(JSON.parse(ens)).toMatchObject({
      name: 'ada.eth',
      avatar,
      header,
      records: { description: expect.any(String) },
    });
  });

  it('keeps usual texts beside a long one, which becomes an error', () => {
    const records = { description: 'x'.repeat(16_000), url: 'https://ada.example', status: 'y'.repeat(1_000) };
    const ens = JSON.parse(fetched({ records }).ens);
    expect(ens.records).toMatchObject({ description: '', url: records.url, status: records.status });
    expect(ens.errors).toEqual({ 'records.description': LEFT_OUT });
  });

  it('leaves out the longest texts first, of equal ones the first by path', () => {
    const records = { b: 'x'.repeat(7_000), a: 'x'.repeat(7_000), c: 'x'.repeat(6_000) };
    const ens = JSON.parse(fetched({ records }).ens);
    expect(Object.keys(ens.records)).not.toContain('a');
    expect(ens.records).toMatchObject({ b: records.b, c: records.c });
    expect(ens.errors).toEqual({ 'records.a': LEFT_OUT });
  });

  it('is left as it is up to the bound', () => {
    const empty = bytesOf(fetched({ records: { description: '' } }).ens);
    const description = 'x'.repeat(MAX_PROFILE_BYTES - empty);
    expect(JSON.parse(fetched({ records: { description } }).ens).records.description).toBe(description);
    expect(JSON.parse(fetched({ records: { description: `${description}x` } }).ens).records.description).toBe('');
  });

  it('that was stored without a bound is shown within it', () => {
    const stored = { ...JSON.parse(fetched({}).ens), records: { description: 'x'.repeat(16_384), url: 'y' } };
    const shown = JSON.parse(boundedEns(JSON.stringify(stored)));
    expect(shown).toMatchObject({
      records: { description: '', url: 'y' },
      errors: { 'records.description': LEFT_OUT },
    });
  });
});
