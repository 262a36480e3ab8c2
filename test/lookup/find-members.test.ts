import { describe, expect, it } from 'vitest';
import { createTimeSlices } from '../../src/async/time-slices.ts';
import { type Group, groupOf, isGuessable } from '../../src/graph/search-term.ts';
import { findAmong } from '../../src/lookup/search/find-among.ts';
import { findMembers } from '../../src/lookup/search/find-members.ts';
import { compareEntries, type Entry } from '../../src/lookup/search/leaf.ts';
import { MemberList } from '../../src/lookup/search/member-list.ts';
import { isSimilar } from '../model/naive-similar.ts';
import { createRandom, type Random } from '../model/random.ts';
import { isDeep } from '../support/effort.ts';

const SEEDS = Array.from({ length: isDeep ? 20 : 2 }, (_, i) => i + 1);
const ACCOUNTS = 2_500;
/** A byte of some of these is that of others, or a dot. */
const LETTERS = ['a', 'b', 'c', '1', '.', '-', '%', '_', 'é', 'è', 'e\u0301', 'ש', '🚀', '🚁', '👩‍👧'];

function randomName(random: Random): string {
  if (random.chance(0.2)) return '';
  if (random.chance(0.01)) return `${'a'.repeat(random.int(255))}.eth`;
  const label = Array.from({ length: 1 + random.int(6) }, () => random.pick(LETTERS)).join('');
  return random.chance(0.5) ? label : `${label}.eth`;
}

/** Many share their first digits. */
function randomAddress(random: Random): string {
  const digits = Array.from({ length: 40 }, (_, i) => (i < 4 && random.chance(0.5) ? 0 : random.int(16)).toString(16));
  return `0x${digits.join('')}`;
}

interface Member {
  readonly account: number;
  readonly name: string;
  readonly address: string;
  readonly followers: number;
}

const entryOf = ({ account, name, address, followers }: Member): Entry => ({
  account,
  followers,
  address: Buffer.from(address.slice(2), 'hex'),
  name: Buffer.from(name),
});

function randomTerm(random: Random, members: readonly Member[]): string {
  const { name, address } = random.pick(members);
  if (random.chance(0.1)) return random.pick(['0', '0x', 'x', 'eth', '.eth', 'a', '%', 'zzzz', 'a'.repeat(40)]);
  const letters = [...(random.chance(0.5) ? name : address)];
  const start = random.chance(0.5) ? 0 : random.int(letters.length + 1);
  const term = letters.slice(start, start + 1 + random.int(random.chance(0.2) ? 42 : 6));
  const i = random.int(term.length + 1);
  const edit = random.int(5);
  if (edit === 0) term.splice(i, random.int(2), random.pick(LETTERS));
  if (edit === 1) term.splice(i, 2, ...term.slice(i, i + 2).reverse());
  return term.join('');
}

/** The reference: all members in order, each compared with the term. */
function expected(members: readonly Member[], term: string, guess: boolean): string[] {
  const sorted = members.toSorted((a, b) => compareEntries(entryOf(a), entryOf(b)));
  const groups = Map.groupBy(sorted, ({ name, address }) => groupOf(term, name, address));
  const of = (group: Group | null) => groups.get(group) ?? [];
  const isGuessed = guess && isGuessable(term) && of(0).length + of(1).length === 0;
  const guesses = isGuessed ? of(null).filter(({ name }) => isSimilar(term, name)) : [];
  return [
    ...([0, 1, 2] as const).flatMap(of).map(({ account }) => `${account} false`),
    ...guesses.map(({ account }) => `${account} true`),
    ...([3, 4] as const).flatMap(of).map(({ account }) => `${account} false`),
  ];
}

describe.each(SEEDS)('members in memory, seed %i', (seed) => {
  const random = createRandom(seed);
  const members = new Map<number, Member>();
  const list = new MemberList([]);
  const change = async (accounts: number, count: number) => {
    const changes = Array.from({ length: count }, (): [number, Entry | null] => {
      const account = 1 + random.int(accounts);
      const known = members.get(account);
      const address = known?.address ?? randomAddress(random);
      // Every account has few followers at first, and later many.
      const member = { account, name: randomName(random), address, followers: random.int(5) * (accounts % 7) };
      if (known !== undefined && random.chance(0.3)) members.delete(account);
      else members.set(account, member);
      const now = members.get(account);
      return [account, now === undefined ? null : entryOf(now)];
    });
    await list.apply(new Map(changes), createTimeSlices());
  };
  const expectSame = async (searches: number) => {
    const all = [...members.values()];
    const size = list.leaves.reduce((sum, leaf) => sum + leaf.size, 0);
    expect(size).toBe(all.length);
    for (let i = 0; i < searches && all.length > 0; i++) {
      const term = randomTerm(random, all);
      if (term === '') continue;
      for (const { limit, offset, guess } of [
        { limit: 1 + random.int(20), offset: random.pick([0, 0, random.int(10)]), guess: false },
        { limit: ACCOUNTS, offset: 0, guess: true },
        { limit: 1 + random.int(20), offset: random.int(10), guess: true },
      ]) {
        const found = await findMembers(list.leaves, { term, limit, offset, guess }, createTimeSlices());
        const shown = found.map(({ account, isGuess }) => `${account} ${isGuess}`);
        expect({ term, guess, shown }).toEqual({
          term,
          guess,
          shown: expected(all, term, guess).slice(offset, offset + limit),
        });
      }
    }
  };

  it('are found as a comparison of all with the term finds them, while they change', async () => {
    await change(ACCOUNTS, 3);
    await expectSame(20);
    await change(ACCOUNTS, 2_500);
    await expectSame(80);
    for (let round = 0; round < 4; round++) {
      await change(ACCOUNTS - round, 400);
      await expectSame(20);
    }
  });

  it('are found among some accounts in the same order, also those that are no members', async () => {
    for (let round = 0; round < 40; round++) {
      const some = Array.from({ length: 200 }, () => 1 + random.int(ACCOUNTS));
      const accounts = [...new Set(some)];
      const others = accounts
        .filter((account) => !members.has(account))
        .map((account) => ({ account, name: randomName(random), address: randomAddress(random), followers: 0 }))
        .sort((a, b) => (a.address < b.address ? -1 : 1));
      const all = [...accounts.flatMap((account) => members.get(account) ?? []), ...others];
      const term = randomTerm(random, all);
      if (term === '') continue;
      const found = await findAmong(list, accounts, others, term, createTimeSlices());
      const shown = found.map((account) => `${account} false`);
      expect({ term, shown }).toEqual({ term, shown: expected(all, term, false) });
    }
  });

  it('are found by a search that began before they changed', async () => {
    const all = [...members.values()];
    const { leaves } = list;
    await change(ACCOUNTS, 1_000);
    const found = await findMembers(
      leaves,
      { term: 'a', limit: ACCOUNTS, offset: 0, guess: false },
      createTimeSlices(),
    );
    expect(found.map(({ account }) => `${account} false`)).toEqual(expected(all, 'a', false));
  });

  it('leave no empty leaf behind', async () => {
    const none = new Map([...members.keys()].map((account): [number, null] => [account, null]));
    await list.apply(none, createTimeSlices());
    members.clear();
    expect(list.leaves.map(({ size }) => size)).toEqual([0]);
    await change(ACCOUNTS, 10);
    await expectSame(10);
  });
});
