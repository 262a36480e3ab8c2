import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BinaryString, toBinary } from '../../src/contract/binary-string.ts';
import { createCompleteEntry } from '../../src/contract/complete-entry.ts';
import {
  addressIn,
  countsIn,
  nameIn,
  OPCODES_END,
  parseCounts,
  splitNotifications,
  storedEntry,
} from '../../src/contract/entry-layout.ts';
import { LeaderboardEntry } from '../../src/contract/schemas.ts';

const address = fc.stringMatching(/^0x[0-9a-f]{40}$/);
const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed());
const member = fc.record({ address, name: text, avatar: text });
const count = fc.nat(99_999);
const counts = fc.record({ mutuals: count, following: count, followers: count, blocks: count });

const TIME = '2026-01-01T00:00:00.000Z';
const rankOf = (name: string) => new Map(Array.from({ length: 10 }, (_, i) => [`${i}`, `${name} ${i}`]));
const ranks = {
  mutuals: rankOf('mutuals'),
  following: rankOf('following'),
  followers: rankOf('followers'),
  blocks: rankOf('blocks'),
};

describe('a stored leaderboard entry', () => {
  it('contains its address, its name in lower case and its counts', () => {
    fc.assert(
      fc.property(member, counts, (given, numbers) => {
        const stored = storedEntry(given, numbers);
        expect(addressIn(stored)).toBe(given.address);
        expect(nameIn(stored)).toBe(given.name.toLowerCase());
        const texts = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, `${value}`]));
        expect(parseCounts(countsIn(stored).counts)).toEqual(texts);
      }),
    );
  });

  it('contains its address as a binary string and when it is complete', () => {
    const given = { address: `0x${'5'.repeat(40)}`, name: 'é🚀"\\.eth', avatar: '' };
    const stored = storedEntry(given, { mutuals: 1, following: 2, followers: 3, blocks: 4 });
    expect(addressIn(toBinary(stored))).toBe(given.address);
    expect(addressIn(createCompleteEntry(ranks, TIME)(stored))).toBe(given.address);
  });

  it('is completed to an entry with every field of the schema, in the order of the schema', () => {
    const given = { address: `0x${'5'.repeat(40)}`, name: 'é"\n.eth', avatar: 'https://example.org/\\' };
    const complete = createCompleteEntry(ranks, TIME);
    const entry = JSON.parse(complete(storedEntry(given, { mutuals: 1, following: 2, followers: 3, blocks: 4 })));
    expect(Object.keys(entry)).toEqual(Object.keys(LeaderboardEntry.properties));
    expect(entry).toEqual({
      ...given,
      mutuals_rank: 'mutuals 1',
      followers_rank: 'followers 3',
      following_rank: 'following 2',
      blocks_rank: 'blocks 4',
      mutuals: '1',
      following: '2',
      followers: '3',
      blocks: '4',
      updated_at: TIME,
    });
  });

  it('is completed in the same way as text and as a binary string', () => {
    const stored = storedEntry(
      { address: `0x${'5'.repeat(40)}`, name: 'é🚀.eth', avatar: '' },
      { mutuals: 1, following: 1, followers: 1, blocks: 1 },
    );
    const complete = createCompleteEntry(ranks, TIME);
    expect(complete(toBinary(stored))).toBe(toBinary(complete(stored)));
  });
});

describe('a page of notifications', () => {
  // Safe: ASCII text is its own binary string.
  const page = (value: string) => value as BinaryString;

  it('is split into its opcodes and its entries', () => {
    expect(splitNotifications(page(`134${OPCODES_END}{"tag":"a b"},{},{}`))).toEqual({
      opcodes: '134',
      entries: '{"tag":"a b"},{},{}',
    });
  });

  it('is split into nothing when it is empty', () => {
    expect(splitNotifications(page(OPCODES_END))).toEqual({ opcodes: '', entries: '' });
  });
});
