import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RankBook } from '../../src/lookup/leaderboard/rank-book.ts';
import { readLeaderboard } from '../../src/lookup/leaderboard/search.ts';
import { createMemberIndex } from '../../src/lookup/search/member-index.ts';
import { emptyProfile } from '../../src/names/profile.ts';
import { writeProfiles } from '../../src/names/write-profiles.ts';
import type { Address } from '../../src/protocol/hex.ts';
import { computeRanks } from '../../src/ranks/update-ranks.ts';
import { blankAccount, Ids } from '../../src/rows/ids.ts';
import type { Row } from '../../src/store/schema.ts';
import type { Store } from '../../src/store/store.ts';
import { createRandom } from '../model/random.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { wholeOf } from '../support/whole-of.ts';

const SEED = Number(process.env.KITH_SEED ?? 20_261_115);
/** In two leaves at first, which are split and joined. */
const MEMBERS = 600;
const NAMES = [
  'moth',
  'mothers.eth',
  '0xdead.eth',
  'dead.beef.eth',
  'éthé.eth',
  '🚀moon.eth',
  'x',
  '100%.eth',
  'a b.eth',
  'שלום.eth',
  'e\u0301tude.eth',
  '👩‍👧.eth',
  '_\\%.eth',
  '3fa97.eth',
  `${'y'.repeat(251)}.eth`,
];

/** Reference implementation of the search. */
class PlainBoard {
  readonly members = new Map<Address, { name: string; followers: number }>();

  search(term: string): string[] {
    const text = term.toLowerCase();
    const tierOf = (address: string, name: string) => {
      const own = name.toLowerCase();
      if (own === text || address === text) return 0;
      if (own.startsWith(text)) return 1;
      if (own.includes(text)) return 2;
      if (address.startsWith(text) || address.slice(2).startsWith(text)) return 3;
      return address.includes(text) ? 4 : 5;
    };
    return [...this.members]
      .map(([address, { name, followers }]) => ({ address, name, followers, tier: tierOf(address, name) }))
      .filter(({ tier }) => tier < 5)
      .sort((a, b) => a.tier - b.tier || b.followers - a.followers || (a.address < b.address ? -1 : 1))
      .map(({ address, name, followers }) => `${address} ${followers} ${this.#rank(followers)} ${name}`);
  }

  #rank(followers: number): number {
    return 1 + [...this.members.values()].filter((other) => other.followers > followers).length;
  }
}

describe.each(engines)(`searching the leaderboard on $name, seed ${SEED}`, (engine) => {
  const random = createRandom(SEED);
  const board = new PlainBoard();
  let database: TestDatabase;
  let store: Store;
  let search: (term: string, limit?: number, offset?: number) => Promise<string[]>;
  beforeAll(async () => {
    database = await engine.create();
    store = await database.open();
    const [rankBook, members] = [new RankBook(), createMemberIndex(store)];
    search = async (term, limit = 1000, offset = 0) => {
      const page = { term, limit, offset, guess: false };
      const { results } = wholeOf(await readLeaderboard(store.reader, rankBook, members, page));
      return results.map((row) => `${row.address} ${row.followers} ${row.followers_rank} ${row.name}`);
    };
    await addMembers(Array.from({ length: MEMBERS }, (_, i) => addressOf(i)));
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  /** Some addresses share all but the last digits. */
  function addressOf(i: number): Address {
    if (i % 10 === 0) return `0x${'0'.repeat(38)}${(i % 256).toString(16).padStart(2, '0')}`;
    return `0x${Array.from({ length: 40 }, () => random.int(16).toString(16)).join('')}`;
  }

  async function setFollowers(rows: readonly { address: Address; followers: number }[]): Promise<void> {
    await store.transaction(async (tx) => {
      const ids = new Ids();
      await ids.assign(
        tx,
        rows.map(({ address }) => address),
      );
      await tx.upsert(
        'accounts',
        rows.map(({ address, followers }) => ({ ...blankAccount(ids.requireId(address), address), followers })),
      );
      await tx.insertNew(
        'changed_accounts',
        rows.map(({ address }) => ({ account: ids.requireId(address) })),
      );
      await tx.count({ graph_version: 1 });
      while ((await computeRanks(tx, 1_000)) !== null);
    });
    for (const { address, followers } of rows) {
      if (followers === 0) board.members.delete(address);
      else board.members.set(address, { name: board.members.get(address)?.name ?? '', followers });
    }
  }

  async function setNames(names: readonly { address: Address; name: string }[]): Promise<void> {
    await store.transaction((tx) =>
      writeProfiles(
        tx,
        names.map(({ address, name }) => profileOf(address, name)),
      ),
    );
    for (const { address, name } of names) {
      // Of several profiles with one name, the latest keeps it.
      for (const other of board.members.values()) if (other.name === name) other.name = '';
      const member = board.members.get(address);
      if (member !== undefined) member.name = name;
    }
  }

  async function addMembers(addresses: readonly Address[]): Promise<void> {
    await setFollowers(addresses.map((address) => ({ address, followers: 1 + random.int(6) })));
    await setNames(addresses.flatMap((address) => (random.chance(0.6) ? [{ address, name: anyName() }] : [])));
  }

  /** A name, or one with a number before or after it. */
  const anyName = () => {
    const number = random.int(300);
    const name = random.pick(NAMES);
    return random.pick([name, `${number}${name}`, `${name}${number}`]);
  };
  const anyMember = () => random.pick([...board.members.keys()]);
  const some = (count: number) => [...new Set(Array.from({ length: count }, anyMember))];

  async function expectSame(): Promise<void> {
    const addresses = [anyMember(), anyMember(), anyMember()];
    const terms = [
      ...NAMES.map((name) => [...name]).flatMap((name) => [name, name.slice(0, 3), name.slice(1, 5), name.slice(-1)]),
      ...addresses.flatMap((address) => [address, address.slice(0, 5), address.slice(1, 4), address.slice(20, 26)]),
      ...['0', 'X', '0x', '00', '000', 'a', 'AB', 'eth', '.eth', 'ETHE', '"', '*', '%', ' ', 'qzxw', 'x0', '0x0000000'],
    ];
    for (const term of terms.map((characters) => [...characters].join('')).filter((text) => text !== '')) {
      const expected = board.search(term);
      expect({ term, found: await search(term, MEMBERS) }).toEqual({ term, found: expected });
      expect({ term, found: await search(term, 3, 2) }).toEqual({ term, found: expected.slice(2, 5) });
      expect({ term, found: await search(term, 1) }).toEqual({ term, found: expected.slice(0, 1) });
    }
  }

  it('returns members equal to the term, then names that start with it or contain it, then addresses', async () => {
    await expectSame();
  });

  it('finds members after they gain or lose followers, join or leave', async () => {
    for (let round = 0; round < 3; round++) {
      await addMembers([addressOf(round * 10 + 200), addressOf(1)]);
      await setFollowers(some(15).map((address) => ({ address, followers: random.int(7) })));
      await expectSame();
    }
  });

  it('finds members by their new names', async () => {
    await setNames(some(20).map((address) => ({ address, name: random.chance(0.1) ? '' : anyName() })));
    await expectSame();
  });
});

let fetchedAt = 1;
function profileOf(address: Address, name: string): Row<'profiles'> {
  const ens = JSON.stringify({ ...JSON.parse(emptyProfile(address)), name });
  return { address, name, search_name: name.toLowerCase(), avatar: '', header: '', fresh: fetchedAt++, ens };
}
