import { afterEach, describe, expect, it } from 'vitest';
import { rebuildGraph } from '../../src/ingest/rebuild/rebuild-graph.ts';
import { rewindChain } from '../../src/ingest/rewind.ts';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import type { Store } from '../../src/store/store.ts';
import { NaiveModel } from '../model/naive-model.ts';
import { createRandom } from '../model/random.ts';
import { cutIntoBatches, HISTORY_END, randomHistory } from '../model/random-history.ts';
import { dumpCleanReplay } from '../support/clean-replay.ts';
import { dump } from '../support/dump.ts';
import { historySeeds, isDeep } from '../support/effort.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import { type Asked, routesNotAsked } from '../support/routes-not-asked.ts';
import { compareAnswers, comparePopular } from './compare-answers.ts';
import { compareClientLookups } from './compare-client-lookups.ts';
import { profilesOf } from './profiles.ts';

/** The share of the pairs of accounts to ask for. */
const PAIRS = isDeep ? 1 : 0.1;

/** Badges come from a source, and the others are no JSON. */
const COMPARED_ELSEWHERE = [
  'GET /api/v1/events',
  'POST /api/v1/events',
  'GET /api/v1/users/{addressOrENS}/qr',
  'GET /api/v1/users/{addressOrENS}/ens/avatar',
  'GET /api/v1/users/{addressOrENS}/badges',
  'GET /api/v1/lists/{token_id}/badges',
];

/** Rankings that share this time on the clock get later ones. */
const RANKED_AT = HISTORY_END * 1000;

describe.each(engines)('random histories on $name', (engine) => {
  const seeds = historySeeds(engine.name, 8);
  let database: TestDatabase | undefined;
  const stores: Store[] = [];
  const asked: Asked[] = [];
  const open = async () => {
    const store = await (database ?? (database = await engine.create())).open();
    stores.push(store);
    return store;
  };
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await database?.drop();
    database = undefined;
  });

  it.each(seeds)(
    'answers as the naive model does, with rankings anywhere between the batches (KITH_SEED=%i)',
    async (seed) => {
      const store = await open();
      const model = new NaiveModel();
      const random = createRandom(seed);
      const batches = cutIntoBatches(seed, randomHistory(seed));
      const profiles = profilesOf(seed, batches.flat());
      const load = async (from: number, to: number) => {
        for (const batch of batches.slice(from, to)) {
          await loadLogs(store, batch);
          for (const log of batch) model.add(log);
          if (random.chance(0.2)) await rank();
        }
      };
      const rank = async () => {
        await loadRanks(store, RANKED_AT);
        model.rank();
      };
      // Profiles are written halfway, so that rows from before and after must both show them.
      const half = Math.floor(batches.length / 2);
      await load(0, half);
      await loadProfiles(store, profiles);
      for (const { address, ...profile } of profiles) model.setProfile(address, profile);
      const end = Math.floor(batches.length * 0.8);
      await load(half, end);
      await rank();
      for (const batch of batches.slice(end)) {
        await loadLogs(store, batch);
        for (const log of batch) model.add(log);
      }
      const rankedAt = await readRankedAt(store);
      await compareAnswers(store, model, { seed, asked, rankedAt, random });
      await compareClientLookups(store, model, { seed, asked, rankedAt, random, pairs: PAIRS });

      await rank();
      await comparePopular(store, model, { seed, asked, random });
    },
  );

  it.each(seeds)(
    'answers the client lookups as the naive model does, after reorgs and after a rebuild (KITH_SEED=%i)',
    async (seed) => {
      const store = await open();
      const model = new NaiveModel();
      const random = createRandom(seed);
      const logs = randomHistory(seed);
      const load = async (some: readonly RawLog[]) => {
        await loadLogs(store, some);
        for (const log of some) model.add(log);
      };
      const compare = async () => {
        const rankedAt = await readRankedAt(store);
        await compareClientLookups(store, model, { seed, asked, rankedAt, random, pairs: PAIRS });
      };

      const profiles = profilesOf(seed, logs);
      await loadProfiles(store, profiles);
      for (const { address, ...profile } of profiles) model.setProfile(address, profile);
      await load(logs.slice(0, logs.length / 2));
      await loadRanks(store, RANKED_AT);
      model.rank();
      await load(logs.slice(logs.length / 2));
      for (const chainId of new Set(logs.map((log) => log.chainId))) {
        const blocks = logs.filter((log) => log.chainId === chainId).map((log) => Number(log.blockNumber));
        const last = random.pick(blocks.slice(blocks.length / 2));
        await store.transaction((tx) => rewindChain(tx, chainId, last));
        model.remove(chainId, last);
      }
      await compare();

      await load(logs);
      await store.transaction((tx) => rebuildGraph(tx, RANKED_AT));
      model.rank();
      await compare();
    },
  );

  it.each(seeds)('ends in the same rows as one clean replay and as a rebuild (KITH_SEED=%i)', async (seed) => {
    const logs = randomHistory(seed);
    const store = await open();
    const random = createRandom(seed);
    for (const batch of cutIntoBatches(seed, logs)) {
      await loadLogs(store, batch);
      if (random.chance(0.3)) await loadRanks(store, 0);
    }
    await loadRanks(store, 0);
    const incremental = await dump(store);
    expect(incremental.notifications?.length).toBeGreaterThan(0);

    await store.transaction((tx) => rebuildGraph(tx, 0));
    expect(await dump(store)).toEqual(incremental);
    expect(await dumpCleanReplay(engine, logs)).toEqual(incremental);
  });

  it('are asked about by every route but those that other tests compare', async () => {
    expect(await routesNotAsked(asked)).toEqual(COMPARED_ELSEWHERE);
  });
});

async function readRankedAt(store: Store): Promise<number> {
  const [row] = await store.transaction((tx) => tx.read('state', ['key'], [['ranked_at']]));
  return row?.value ?? Number.NaN;
}
