import { ens_normalize } from '@adraffy/ens-normalize';
import { describe, expect, it } from 'vitest';
import { type DemoOptions, FIRST_WORDS, SECOND_WORDS, WORDS } from '../../src/demo/accounts.ts';
import { demoBadges } from '../../src/demo/demo-badges.ts';
import { demoProfiles } from '../../src/demo/demo-profiles.ts';
import { entriesOf, writesOf } from './decoded.ts';
import { demoSamples } from './demo-samples.ts';

const options: DemoOptions = { accounts: 1000, seed: 42, now: 1_770_000_000 };
const star = demoSamples(options);

describe('demoProfiles', () => {
  const profiles = [...demoProfiles(options)];

  it('generates the same profiles for the same options, for about 70 % of the accounts', () => {
    expect([...demoProfiles(options)]).toEqual(profiles);
    expect(profiles.length / options.accounts).toBeGreaterThan(0.66);
    expect(profiles.length / options.accounts).toBeLessThan(0.75);
    expect(profiles[0]).toMatchObject({ name: 'ada.eth', address: star.address });
  });

  it('generates profiles for accounts that mint lists', () => {
    const minters = new Set(
      writesOf(entriesOf(options))
        .filter(({ part }) => part === 'user')
        .map(({ payload }) => payload),
    );
    expect(profiles.filter(({ address }) => !minters.has(address))).toEqual([]);
    expect(minters.size).toBe(options.accounts);
  });

  it('generates handles that nobody can have, and websites on a reserved domain', () => {
    const records = profiles.flatMap(({ records }) => Object.entries(records));
    const handles = records.filter(([key]) => ['com.github', 'com.twitter', 'org.telegram'].includes(key));
    expect(handles.length).toBeGreaterThan(100);
    // A dot is in no handle of these services.
    expect(handles.filter(([, handle]) => !/^[a-z0-9-]+\.example$/.test(handle))).toEqual([]);
    const websites = records.filter(([key]) => key === 'url').map(([, url]) => new URL(url).hostname);
    expect(websites.filter((host) => !host.endsWith('.example'))).toEqual([]);
  });

  it('generates normalised and unique names', () => {
    const names = Array.from(demoProfiles({ ...options, accounts: 20_000 }), ({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => ens_normalize(name) !== name)).toEqual([]);
  });

  it('has pairs of words that differ when concatenated', () => {
    const pairs = FIRST_WORDS.flatMap((a) => SECOND_WORDS.map((b) => a + b));
    expect([FIRST_WORDS.length, SECOND_WORDS.length]).toEqual([WORDS, WORDS]);
    expect(new Set(pairs).size).toBe(WORDS * WORDS);
  });
});

describe('demoBadges', () => {
  const badges = [...demoBadges(options)];

  it('generates the same badges for the same options, for about a third of the accounts', () => {
    expect([...demoBadges(options)]).toEqual(badges);
    const owners = new Set(badges.map(({ owner }) => owner));
    expect(owners.size / options.accounts).toBeGreaterThan(0.28);
    expect(owners.size / options.accounts).toBeLessThan(0.39);
    expect(new Set(badges.map(({ tokenId }) => tokenId)).size).toBe(badges.length);
  });

  it('gives the first account some but not all of the five events', () => {
    expect(new Set(badges.map(({ event }) => event.id))).toEqual(new Set([177709, 178064, 178065, 178066, 183182]));
    const held = badges.filter(({ owner }) => owner === star.address);
    expect(held.length).toBeGreaterThan(0);
    expect(held.length).toBeLessThan(5);
  });

  it('writes dates as day, month name and year', () => {
    const dates = badges.flatMap(({ event }) => [event.start_date, event.end_date, event.expiry_date]);
    expect(dates.filter((date) => !/^\d\d-[A-Z][a-z]{2}-\d{4}$/.test(date))).toEqual([]);
  });
});
