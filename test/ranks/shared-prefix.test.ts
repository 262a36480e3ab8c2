import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeLogs } from '../../src/ingest/ingest-logs.ts';
import { loadAtOnce } from '../../src/ingest/load-logs.ts';
import { readFollowing } from '../../src/lookup/edges/edge-lists.ts';
import { readCountRows, readRanked, streamMembers } from '../../src/lookup/leaderboard/members.ts';
import { RankBook } from '../../src/lookup/leaderboard/rank-book.ts';
import { readLeaderboard } from '../../src/lookup/leaderboard/search.ts';
import { createMemberIndex, type MemberIndex } from '../../src/lookup/search/member-index.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import type { Address } from '../../src/protocol/hex.ts';
import { parseRawLog } from '../../src/protocol/parse-log.ts';
import type { Store } from '../../src/store/store.ts';
import { placeLog, word } from '../model/encode-log.ts';
import { createRandom } from '../model/random.ts';
import { ANN, ANNS, annsList, follow, logsOf, START, unfollow } from '../model/small-history.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';
import { wholeOf } from '../support/whole-of.ts';

const ACCOUNTS = 20_000;
/** More digits than the keys of rows hold. */
const SHARED = '0x00000000000000ff';
const PAGE = 5_000;
const OFFSETS = Array.from({ length: ACCOUNTS / PAGE }, (_, i) => i * PAGE);

const random = createRandom(1);
/** In the order of the logs, and so of ids. */
const followed = Array.from(
  { length: ACCOUNTS },
  (_, i): Address =>
    `${SHARED}${random
      .int(2 ** 32)
      .toString(16)
      .padStart(8, '0')}${i.toString(16).padStart(16, '0')}`,
);
const sorted = followed.toSorted();
const block = { blockNumber: 5_000, blockHash: word(5_000n), time: START };

describe.each(engines)(`${ACCOUNTS} accounts that share 16 digits on $name`, (engine) => {
  let database: TestDatabase;
  let store: Store;
  let members: MemberIndex;
  const rankBook = new RankBook();
  beforeAll(async () => {
    database = await engine.create();
    store = await database.open();
    members = createMemberIndex(store);
    const follows = followed.map((account, logIndex) => placeLog(follow(ANNS, account), { ...block, logIndex }));
    const logs = [...logsOf(annsList), ...follows].map(parseRawLog);
    await store.transaction((tx) =>
      loadAtOnce(tx, { now: () => 1_000 }, async (loader) => {
        await loader.load(tx, decodeLogs(createRoleOf(deployments.mainnet), logs));
        await loader.finish(tx);
      }),
    );
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const readBoard = async (page: { term: string; limit: number; offset: number }) =>
    wholeOf(await readLeaderboard(store.reader, rankBook, members, { ...page, guess: false }));
  /** Reads all pages. */
  const pagesOf = async <T>(read: (page: { limit: number; offset: number }) => Promise<readonly T[]>) => {
    const entries: T[] = [];
    for (const offset of OFFSETS) entries.push(...(await read({ limit: PAGE, offset })));
    return entries;
  };
  const board = (term: string) => pagesOf(async (page) => (await readBoard({ term, ...page })).results);
  const addressesOf = (entries: readonly { address: string }[]) => entries.map(({ address }) => address);

  it('are the leaderboard in the order of whole addresses, each with one follower', async () => {
    const found = await board('');
    expect(addressesOf(found)).toEqual(sorted);
    expect(new Set(found.map(({ followers, following }) => `${followers} ${following}`))).toEqual(new Set(['1 0']));
    const rest = await readBoard({ term: '', limit: PAGE, offset: ACCOUNTS });
    expect(rest.results).toMatchObject([{ address: ANN, followers: '0', following: `${ACCOUNTS}` }]);
  });

  it('are found on the leaderboard in the order of whole addresses', async () => {
    expect(addressesOf(await board(SHARED))).toEqual(sorted);
  });

  it('are found in that order by a search for a short page', async () => {
    const { results } = await readBoard({ term: SHARED, limit: 3, offset: 2 });
    expect(addressesOf(results)).toEqual(sorted.slice(2, 5));
  });

  it('are ranked in the order of whole addresses', async () => {
    const order = { sort: 'followers', direction: 'asc' } as const;
    const members = await pagesOf(
      async (page) => wholeOf(await readRanked(store.reader, rankBook, { ...order, ...page })).results,
    );
    expect(addressesOf(members)).toEqual(sorted);
  });

  it.each([
    ['latest', sorted],
    ['earliest', sorted.toReversed()],
    ['followers', sorted],
  ] as const)('are followed in the order of whole addresses, sorted by %s', async (sort, expected) => {
    const options = { sort, edges: 'visible', withEns: false, tags: [], cursor: null } as const;
    const ref = { kind: 'account', account: ANN } as const;
    const records = await pagesOf(
      async (page) => wholeOf((await readFollowing(store.reader, ref, { ...options, ...page })).body).following,
    );
    expect(addressesOf(records)).toEqual(expected);
  });

  it('are listed by followers in the order of whole addresses', async () => {
    const rows = await pagesOf(async (page) => wholeOf(await readCountRows(store.reader, rankBook, 'followers', page)));
    expect(addressesOf(rows)).toEqual(sorted);
  });

  it('are streamed in the order of whole addresses', async () => {
    const members: string[] = [];
    for await (const { results } of streamMembers(store.streams, { offset: 12_345 })) {
      members.push(...addressesOf(results));
    }
    expect(members).toEqual([...sorted, ANN].slice(12_345));
  });

  it.each([1, 2, 12_345, ACCOUNTS - 1])('are in that order from offset %i on', async (offset) => {
    const order = { sort: 'followers', direction: 'desc', limit: 3, offset } as const;
    const { results } = wholeOf(await readRanked(store.reader, rankBook, order));
    expect(addressesOf(results)).toEqual([...sorted, ANN].slice(offset, offset + 3));
  });

  it('leave the leaderboard when they are unfollowed', async () => {
    const gone = sorted[ACCOUNTS / 2] ?? expect.fail('no account');
    const place = { ...block, blockNumber: 5_001, blockHash: word(5_001n), logIndex: 0 };
    await loadLogs(store, [placeLog(unfollow(ANNS, gone), place)]);
    await loadRanks(store, 2_000);
    expect(addressesOf(await board(''))).toEqual([...sorted.filter((one) => one !== gone), ANN]);
    expect(await board(gone)).toEqual([]);
  });
});
