import { describe, expect, it } from 'vitest';
import { rebuildGraph } from '../../src/ingest/rebuild/rebuild-graph.ts';
import { rewindChain } from '../../src/ingest/rewind.ts';
import { searchFollowers, searchFollowing } from '../../src/lookup/edges/search-edges.ts';
import { RankBook } from '../../src/lookup/leaderboard/rank-book.ts';
import { readLeaderboard } from '../../src/lookup/leaderboard/search.ts';
import { createMemberIndex } from '../../src/lookup/search/member-index.ts';
import { listSearchChanges } from '../../src/rows/search-changes.ts';
import type { Reader, Store } from '../../src/store/store.ts';
import {
  ANN,
  ANNS,
  annsList,
  BOB,
  BOBS,
  bobsList,
  CAT,
  CATS,
  catsList,
  follow,
  logsOf,
  unfollow,
} from '../model/small-history.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import { wholeOf } from '../support/whole-of.ts';

const PAGE = { limit: 10, offset: 0 };
const HISTORY = [...annsList, ...bobsList, ...catsList, follow(ANNS, BOB), follow(CATS, BOB), follow(BOBS, ANN)];
/** As many as a process reads at once, and one more. */
const MANY = 2_001;
const KEPT = 100_000;

/** Searches as one process does. */
function searchesOf({ heavy, streams }: Store) {
  const members = createMemberIndex({ heavy, streams });
  const rankBook = new RankBook();
  const search = async (term: string, reader = heavy.reader) => {
    const page = { ...PAGE, term, guess: false };
    const { results } = wholeOf(await readLeaderboard(reader, rankBook, members, page));
    return results.map(({ address, name, followers }) => `${address} ${name} ${followers}`);
  };
  const bobs = { kind: 'account', account: BOB } as const;
  return {
    search,
    followers: async (term: string, reader = heavy.reader) => {
      const { followers } = wholeOf(await searchFollowers(reader, members, bobs, { ...PAGE, term }));
      return followers.map(({ address }) => address);
    },
    following: async (term: string) => {
      const { following } = wholeOf(await searchFollowing(heavy.reader, members, bobs, { ...PAGE, term }));
      return following.map(({ address }) => address);
    },
  };
}

/** A reader before whose query number `at`, from 1, something happens. */
function interrupted({ dialect, all }: Reader, at: number, work: () => Promise<void>): Reader {
  let queries = 0;
  return {
    dialect,
    async all(statement, params) {
      queries += 1;
      if (queries === at) await work();
      return all(statement, params);
    },
  };
}

describe.each(engines)('the members in the memory of a process on $name', (engine) => {
  const own = useOwnDatabase(engine);
  let fresh = 0;
  const rename = (store: Store, address: string, name: string) => {
    fresh += 1;
    return loadProfiles(store, [{ address, name, fresh }]);
  };
  const rank = (store: Store) => loadRanks(store, 1_000);
  const lastChange = async (store: Store) => {
    const rows = await store.transaction((tx) =>
      tx.query((db) => db.selectFrom('search_changes').select(['sequence']).orderBy('sequence', 'desc').limit(1)),
    );
    return rows[0]?.sequence ?? 0;
  };

  /** A process that writes, and one that has searched before. */
  async function openTwo() {
    const writer = await own.open();
    await loadLogs(writer, logsOf(HISTORY));
    await rename(writer, ANN, 'ann.eth');
    await rank(writer);
    const searches = [searchesOf(writer), searchesOf(await own.open())] as const;
    const expectFound = async (term: string, expected: readonly string[]) => {
      for (const { search } of searches) expect(await search(term)).toEqual(expected);
    };
    await expectFound('ann', [`${ANN} ann.eth 1`]);
    return { writer, searches, expectFound, other: searches[1] };
  }

  it('have a new name, a new ranking, a rewind and a rebuild at once, in the process of the writer and in another one', async () => {
    const { writer, expectFound } = await openTwo();
    await rename(writer, ANN, 'zoe.eth');
    await expectFound('ann', []);
    await expectFound('zoe', [`${ANN} zoe.eth 1`]);
    await loadLogs(writer, logsOf([...HISTORY, follow(CATS, ANN)]));
    await rank(writer);
    await expectFound('zoe', [`${ANN} zoe.eth 2`]);
    await writer.transaction((tx) => rewindChain(tx, 1, 1000 + HISTORY.length - 1));
    await rank(writer);
    await expectFound('zoe', [`${ANN} zoe.eth 1`]);
    await writer.transaction((tx) => rebuildGraph(tx, 2_000, () => undefined));
    await expectFound('zoe', [`${ANN} zoe.eth 1`]);
    await rename(writer, ANN, '');
    await expectFound('zoe', []);
  });

  it('are searched again if another search has brought them up to date meanwhile', async () => {
    const store = await own.open();
    await loadLogs(store, logsOf(HISTORY));
    await rename(store, ANN, 'ann.eth');
    const { search, followers } = searchesOf(store);
    expect(await followers('ann')).toEqual([ANN]);
    // Between the edges of the account and the names of the followers that are not members yet.
    const reader = interrupted(store.heavy.reader, 2, async () => {
      await rank(store);
      expect(await search('ann')).toEqual([`${ANN} ann.eth 1`]);
    });
    expect(await followers('ann', reader)).toEqual([ANN]);
  });

  it('follow more changes than are read at once', async () => {
    const { writer, expectFound } = await openTwo();
    await writer.transaction(async (tx) => {
      const accounts = await tx.readBy('accounts', 'address', [ANN, BOB, CAT]);
      const ids = accounts.map(({ id }) => id);
      await listSearchChanges(
        tx,
        Array.from({ length: MANY }, (_, i) => ids[i % ids.length] ?? 0),
      );
    });
    await rename(writer, CAT, 'zoe.eth');
    await expectFound('zoe', [`${CAT} zoe.eth 0`]);
  });

  it('are read again if the changes since are no longer stored', async () => {
    const { writer, expectFound } = await openTwo();
    await rename(writer, ANN, 'zoe.eth');
    await rename(writer, BOB, 'bob.eth');
    const last = await lastChange(writer);
    await writer.transaction((tx) => tx.execute((db) => db.deleteFrom('search_changes').where('sequence', '<', last)));
    await expectFound('zoe', [`${ANN} zoe.eth 1`]);
    await expectFound('bob', [`${BOB} bob.eth 2`]);
  });

  it('are read again if the database has lost commits, and has as many others since', async () => {
    const { writer, expectFound, other } = await openTwo();
    await rename(writer, CAT, 'lost.eth');
    expect(await other.search('lost')).toEqual([`${CAT} lost.eth 0`]);
    const sequence = await lastChange(writer);
    await writer.transaction(async (tx) => {
      await tx.remove('search_changes', [{ sequence }]);
      await tx.execute((db) => db.deleteFrom('profiles').where('address', '=', CAT));
    });
    await rename(writer, BOB, 'bob.eth');
    await expectFound('lost', []);
    await expectFound('bob', [`${BOB} bob.eth 2`]);
  });

  it('are those of the snapshot of the page, if they change in between', async () => {
    const { writer, other } = await openTwo();
    const reader = interrupted(writer.heavy.reader, 1, () => rename(writer, ANN, 'zoe.eth'));
    expect(await other.search('ann', reader)).toEqual([]);
  });

  it('are searched among followers as of the snapshot of the page, if one of them leaves in between', async () => {
    const { writer, other } = await openTwo();
    expect(await other.followers('0x')).toEqual([ANN, CAT]);
    const leave = () => loadLogs(writer, logsOf([...HISTORY, unfollow(ANNS, BOB)]));
    expect(await other.followers('0x', interrupted(writer.heavy.reader, 2, leave))).toEqual([CAT]);
    expect(await other.following('ann')).toEqual([ANN]);
  });

  it('are not needed for an account that joins the graph before the next ranking', async () => {
    const { writer, other } = await openTwo();
    await loadLogs(writer, logsOf([...HISTORY, follow(BOBS, `0x${'e'.repeat(40)}`)]));
    await rename(writer, `0x${'e'.repeat(40)}`, 'eve.eth');
    expect([await other.search('eve'), await other.following('eve')]).toEqual([[], [`0x${'e'.repeat(40)}`]]);
  });

  it('leave a bounded number of changes in the database', async () => {
    const { writer, expectFound } = await openTwo();
    for (const length of [KEPT, MANY])
      await writer.transaction((tx) => listSearchChanges(tx, Array<number>(length).fill(1)));
    const [count] = await writer.transaction((tx) =>
      tx.query((db) => db.selectFrom('search_changes').select((eb) => eb.fn.countAll<number>().as('rows'))),
    );
    expect(count).toEqual({ rows: KEPT });
    await expectFound('ann', [`${ANN} ann.eth 1`]);
  });
});
