import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IndexerOptions } from '../../src/indexer/run-indexer.ts';
import type { Store } from '../../src/store/store.ts';
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
  DAN,
  follow,
  logsOf,
} from '../model/small-history.ts';
import { queuedProfiles } from '../names/background/refresh-setup.ts';
import { anyEngine, type TestDatabase } from '../support/engines.ts';
import { waitFor } from '../support/wait-for.ts';
import type { EvmNode } from './evm-node.ts';
import { play, startChains, startIndexer } from './harness.ts';

/** A profile refresher that fetches nothing. */
const idle: NonNullable<IndexerOptions['refreshProfiles']> = async ({ sleep }) => {
  for (;;) await sleep(60_000);
};

const early = [...annsList, ...bobsList, follow(ANNS, BOB), follow(BOBS, ANN)];
const history = logsOf([...early, ...catsList, follow(CATS, ANN), follow(BOBS, DAN)]);
const [first, second] = [history.slice(0, early.length), history.slice(early.length)];

describe.each(anyEngine)('new members of the leaderboard on $name', (engine) => {
  let nodes: EvmNode[];
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    nodes = await startChains();
    database = await engine.create();
    store = await database.open();
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
    await Promise.all(nodes.map((node) => node.stop()));
  });

  const untilMembers = (...expected: string[]) =>
    waitFor(async () => {
      const members = await store.transaction((tx) =>
        tx.query((db) => db.selectFrom('leaderboard').select('address').orderBy('address')),
      );
      expect(members.map(({ address }) => address)).toEqual(expected);
    });

  it('are queued for a profile refresh', async () => {
    await play(nodes, first);
    const indexer = startIndexer(store, nodes, { refreshProfiles: idle });
    await untilMembers(ANN, BOB);
    await indexer.stop();
    expect(await queuedProfiles(store)).toEqual([ANN, BOB].map((address) => ({ address, turn: 1 })));
  });

  it('are queued without the earlier members', async () => {
    await play(nodes, first);
    const indexer = startIndexer(store, nodes, { refreshProfiles: idle });
    await untilMembers(ANN, BOB);
    await store.transaction((tx) => tx.remove('wanted_profiles', [{ address: ANN }, { address: BOB }]));
    await play(nodes, second);
    await untilMembers(ANN, BOB, CAT, DAN);
    await indexer.stop();
    expect(await queuedProfiles(store)).toEqual([CAT, DAN].map((address) => ({ address, turn: 1 })));
  });

  it('are not queued when there is no profile source', async () => {
    await play(nodes, first);
    const indexer = startIndexer(store, nodes);
    await untilMembers(ANN, BOB);
    await indexer.stop();
    expect(await queuedProfiles(store)).toEqual([]);
  });
});
