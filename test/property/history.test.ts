import { afterEach, describe, expect, it } from 'vitest';
import { placeAccounts, placeFew } from '../../src/ingest/place-accounts.ts';
import { rebuildGraph } from '../../src/ingest/rebuild/rebuild-graph.ts';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import type { Store } from '../../src/store/store.ts';
import { NaiveModel } from '../model/naive-model.ts';
import { createRandom } from '../model/random.ts';
import { cutIntoBatches, HISTORY_END, randomHistory } from '../model/random-history.ts';
import { dumpCleanReplay } from '../support/clean-replay.ts';
import { displaceAccounts } from '../support/displace.ts';
import { dump } from '../support/dump.ts';
import { historySeeds } from '../support/effort.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { countWaiting, loadBlock, loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import { compareAnswers, comparePopular } from './compare-answers.ts';
import { profilesOf } from './profiles.ts';

const seeds = historySeeds(8);

describe.each(engines)('random histories on $name', (engine) => {
  let database: TestDatabase | undefined;
  const stores: Store[] = [];
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

  it.each(seeds)('answer as the naive model does, whatever the batches (KITH_SEED=%i)', async (seed) => {
    const logs = randomHistory(seed);
    const model = modelOf(seed, logs);
    const store = await open();
    const batches = cutIntoBatches(seed, logs);
    const half = Math.floor(batches.length / 2);
    for (const batch of batches.slice(0, half)) await loadLogs(store, batch);
    // Names come in the middle of things, so rows written before and after both have to show them.
    await loadProfiles(store, profilesOf(seed, model));
    for (const batch of batches.slice(half)) await loadBlock(store, batch);
    await loadRanks(store, HISTORY_END * 1000);
    // Accounts that are not where they belong are found there all the same.
    await displaceAccounts(store, createRandom(seed));
    expect(await countWaiting(store)).toBeGreaterThan(0);
    await compareAnswers(store, model, seed);

    const version = await readDataVersion(store);
    await store.transaction((tx) => placeAccounts(tx));
    await comparePopular(store, model, seed);
    expect(await readDataVersion(store)).toBe(version);
  });

  it.each(seeds)('end in the same rows as one clean replay and as a rebuild (KITH_SEED=%i)', async (seed) => {
    const logs = randomHistory(seed);
    const store = await open();
    for (const [i, batch] of cutIntoBatches(seed, logs).entries()) {
      await loadBlock(store, batch);
      if (i % 10 === 3) await displaceAccounts(store, createRandom(seed + i));
      if (i % 3 === 2) await store.transaction((tx) => placeFew(tx, 5));
    }
    await displaceAccounts(store, createRandom(seed));
    const waiting = await countWaiting(store);
    await store.transaction((tx) => placeAccounts(tx, 2));
    expect(await countWaiting(store)).toBe(Math.min(waiting, 2));
    while (await store.transaction((tx) => placeFew(tx, 1)));
    expect(await countWaiting(store)).toBe(0);
    await loadRanks(store, 0);
    const incremental = await dump(store);
    expect(incremental.notifications?.length).toBeGreaterThan(0);

    await store.transaction((tx) => rebuildGraph(tx, () => undefined));
    expect(await dump(store)).toEqual(incremental);
    expect(await dumpCleanReplay(engine, logs)).toEqual(incremental);
  });
});

async function readDataVersion(store: Store): Promise<number | undefined> {
  const [row] = await store.transaction((tx) => tx.read('state', ['key'], [['data_version']]));
  return row?.value;
}

function modelOf(seed: number, logs: readonly RawLog[]): NaiveModel {
  const model = new NaiveModel();
  for (const log of logs) model.add(log);
  for (const { address, name, avatar } of profilesOf(seed, model)) model.setProfile(address, { name, avatar });
  return model;
}
