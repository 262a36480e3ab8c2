import { afterEach, describe, expect, it } from 'vitest';
import { decodeLogs } from '../../src/ingest/ingest-logs.ts';
import { createLogLoader, loadAtOnce } from '../../src/ingest/load-logs.ts';
import { rewindChain } from '../../src/ingest/rewind.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import { parseRawLog, type RawLog } from '../../src/protocol/parse-log.ts';
import { computeRanks } from '../../src/ranks/update-ranks.ts';
import type { Store, Transaction } from '../../src/store/store.ts';
import { createRandom, type Random } from '../model/random.ts';
import { cutIntoBatches, randomHistory } from '../model/random-history.ts';
import { dump } from '../support/dump.ts';
import { historySeeds } from '../support/effort.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';

/** Everything in bulk, nearly everything in bulk, and changes while there are few logs. */
const FEW_LOGS = [0, 3, 20];

/** Enough for several bulk folds, few enough for a fold to be quick. */
const LOGS = 300;

const now = () => 0;
const roleOf = createRoleOf(deployments.mainnet);
const decode = (logs: readonly RawLog[]) => decodeLogs(roleOf, logs.map(parseRawLog));
const blockOf = (log: RawLog) => Number.parseInt(log.blockNumber, 16);
const keyOf = (log: RawLog) => `${log.chainId}/${log.blockNumber}/${log.logIndex}`;

class Rollback extends Error {}

describe.each(engines)('bulk load of a random history on $name', (engine) => {
  const seeds = historySeeds(engine.name, 6);
  const cases = seeds.flatMap((seed) => FEW_LOGS.map((fewLogs) => [fewLogs, seed] as const));
  const databases: TestDatabase[] = [];
  const stores: Store[] = [];
  const open = async () => {
    const database = await engine.create();
    databases.push(database);
    const store = await database.open();
    stores.push(store);
    return store;
  };
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    for (const database of databases.splice(0)) await database.drop();
  });

  const replays = new Map<number, Promise<Record<string, unknown[]>>>();
  /** The rows after one clean replay of the history. */
  const replay = (seed: number) => {
    let replayed = replays.get(seed);
    if (replayed === undefined) {
      replayed = open().then(async (store) => {
        await loadLogs(store, randomHistory(seed, { logs: LOGS }));
        return dumpRanked(store);
      });
      replays.set(seed, replayed);
    }
    return replayed;
  };

  it.each(cases)(
    'ends in the rows of one clean replay after rollbacks, restarts, reorgs and other writers (fewLogs=%i, KITH_SEED=%i)',
    async (fewLogs, seed) => {
      const store = await open();
      await loadSomehow(store, createRandom(seed * 1_000 + fewLogs), fewLogs, seed);
      const loaded = await dumpRanked(store);
      expect(loaded.notifications?.length).toBeGreaterThan(0);
      expect(loaded).toEqual(await replay(seed));
      expect(await countUnfolded(store)).toBe(0);
    },
  );

  it.each(cases)(
    'is idempotent: adds no log that is stored already (fewLogs=%i, KITH_SEED=%i)',
    async (fewLogs, seed) => {
      const store = await open();
      const loader = createLogLoader({ now, fewLogs });
      const batches = cutIntoBatches(seed, randomHistory(seed, { logs: LOGS })).map(decode);
      const load = async (times: number) => {
        const added: number[] = [];
        for (const batch of batches) {
          // The batch is repeated in the same transaction and in the next one.
          await store.transaction(async (tx) => {
            for (let time = 0; time < times; time++) added.push((await loader.load(tx, batch)).added);
            if (await loader.isFoldDue(tx)) await loader.fold(tx);
          });
          added.push((await store.transaction((tx) => loader.load(tx, batch))).added);
        }
        await store.transaction((tx) => loader.finish(tx));
        return added;
      };
      const added = await load(2);
      expect(added.filter((_, i) => i % 3 !== 0)).toEqual(Array(2 * batches.length).fill(0));
      const once = await dumpRanked(store);
      expect(once).toEqual(await replay(seed));
      expect(once.logs?.length).toBe(added.reduce((sum, number) => sum + number, 0));

      expect(await load(1)).toEqual(Array(2 * batches.length).fill(0));
      expect(await dumpRanked(store)).toEqual(once);
      expect(await countUnfolded(store)).toBe(0);
    },
  );

  it.each(cases)(
    'folds from memory to the same rows when an empty database is filled in one transaction (fewLogs=%i, KITH_SEED=%i)',
    async (fewLogs, seed) => {
      const store = await open();
      const random = createRandom(seed);
      await store.transaction((tx) =>
        loadAtOnce(tx, { now, fewLogs }, async (loader) => {
          for (const batch of cutIntoBatches(seed, randomHistory(seed, { logs: LOGS })).map(decode)) {
            await loader.load(tx, batch);
            if (random.chance(0.2)) expect((await loader.load(tx, batch)).added).toBe(0);
            if (random.chance(0.2)) await loader.fold(tx);
          }
          await loader.finish(tx);
        }),
      );
      expect(await dumpRanked(store)).toEqual(await replay(seed));
      expect(await countUnfolded(store)).toBe(0);
    },
  );

  it.each(seeds)('loads one batch with logs in descending order, some of them twice (KITH_SEED=%i)', async (seed) => {
    const store = await open();
    const history = randomHistory(seed, { logs: LOGS });
    const [first, rest] = [history.slice(0, LOGS / 3), history.slice(LOGS / 3)];
    await loadLogs(store, first);
    const loader = createLogLoader({ now, fewLogs: 0 });
    const batch = decode([...rest.slice(0, 100), ...rest.toReversed(), ...first]);
    const { added } = await store.transaction((tx) => loader.load(tx, batch));
    expect(added).toBe(decode(rest).decoded.length);
    await store.transaction((tx) => loader.finish(tx));
    expect(await dumpRanked(store)).toEqual(await replay(seed));
  });

  it.each(seeds)(
    'fills a database in one transaction after a reorg removed all of its logs (KITH_SEED=%i)',
    async (seed) => {
      const store = await open();
      const history = randomHistory(seed, { logs: LOGS });
      // The ids of subjects stay behind, and must not be assigned twice.
      await loadLogs(store, history.slice(LOGS / 2));
      await store.transaction(async (tx) => {
        for (const chainId of new Set(history.map((log) => log.chainId))) await rewindChain(tx, chainId, 0);
      });
      await store.transaction((tx) =>
        loadAtOnce(tx, { now }, async (loader) => {
          for (const batch of cutIntoBatches(seed, history)) await loader.load(tx, decode(batch));
          await loader.finish(tx);
        }),
      );
      expect(await dumpRanked(store)).toEqual(await replay(seed));
    },
  );

  it.each(seeds)('ranks in the transaction of a bulk fold and returns the new members (KITH_SEED=%i)', async (seed) => {
    const store = await open();
    const loader = createLogLoader({ now: () => 1_234, fewLogs: 0 });
    await store.transaction((tx) => loader.load(tx, decode(randomHistory(seed, { logs: LOGS }))));
    const joined = await store.transaction((tx) => loader.finish(tx));
    const members = await store.transaction((tx) =>
      tx.query((db) => db.selectFrom('leaderboard').innerJoin('accounts', 'accounts.id', 'account').select('address')),
    );
    expect(members.length).toBeGreaterThan(0);
    expect([...(joined ?? [])].sort()).toEqual(members.map(({ address }) => address).sort());
    const [rankedAt] = await store.transaction((tx) => tx.read('state', ['key'], [['ranked_at']]));
    expect(rankedAt?.value).toBe(1_234);
    expect(await store.transaction((tx) => loader.finish(tx))).toBeNull();
  });
});

/** Loads a history with random faults and other writers between the batches. */
async function loadSomehow(store: Store, random: Random, fewLogs: number, seed: number): Promise<void> {
  const waiting = cutIntoBatches(seed, randomHistory(seed, { logs: LOGS }));
  const stored = new Map<string, RawLog>();
  /** With 0, every log is loaded by one loader without faults. */
  const trouble = random.pick([0, 1, 3]);
  let loader = createLogLoader({ now, fewLogs });

  const foldMaybe = async (tx: Transaction) => {
    if (random.chance(0.7) && (await loader.isFoldDue(tx))) await loader.fold(tx);
    else if (random.chance(0.1)) await loader.fold(tx);
    else if (random.chance(0.05)) await loader.finish(tx);
    if (random.chance(0.2)) await computeRanks(tx, 0);
  };
  const loadSome = async () => {
    const batches = waiting.slice(0, random.pick([1, 1, 1, 4]));
    const fails = random.chance(0.1 * trouble);
    const done = store.transaction(async (tx) => {
      for (const batch of batches) {
        await loader.load(tx, decode(batch));
        await foldMaybe(tx);
      }
      if (fails) throw new Rollback();
    });
    if (fails) await expect(done).rejects.toThrow(Rollback);
    else {
      await done;
      for (const log of waiting.splice(0, batches.length).flat()) stored.set(keyOf(log), log);
    }
  };
  /** Loads a batch as another process would. */
  const loadPast = async () => {
    // Changes can only be applied to a graph that is up to date with the logs.
    if ((await countUnfolded(store)) > 0) return loadSome();
    const batch = waiting.shift() ?? [];
    await loadLogs(store, batch);
    for (const log of batch) stored.set(keyOf(log), log);
  };
  const restart = async () => {
    loader = createLogLoader({ now, fewLogs });
    // A new indexer folds at its start; a new import does not.
    if (random.chance(0.5)) await store.transaction((tx) => loader.finish(tx));
  };
  const rewind = async () => {
    const logs = [...stored.values()];
    // Sometimes all logs are removed, and only the ids of subjects remain.
    const toNothing = random.chance(0.25);
    const chainIds = new Set((toNothing ? logs : [random.pick(logs)]).map((log) => log.chainId));
    const unfolded = await countUnfolded(store);
    const removed = await store.transaction(async (tx) => {
      const taken: RawLog[] = [];
      for (const chainId of chainIds) {
        const ofChain = logs.filter((log) => log.chainId === chainId);
        const blocks = [...new Set(ofChain.map(blockOf))].sort((a, b) => b - a);
        const last = toNothing ? 0 : (blocks[1 + random.int(8)] ?? 0);
        await rewindChain(tx, chainId, last);
        taken.push(...ofChain.filter((log) => blockOf(log) > last));
      }
      if (random.chance(0.5)) await computeRanks(tx, now());
      return taken;
    });
    // Logs that wait for a fold still do.
    expect(await countUnfolded(store)).toBe(unfolded);
    for (const log of removed) stored.delete(keyOf(log));
    waiting.splice(random.int(2), 0, removed);
  };

  while (waiting.length > 0) {
    await random.weighted([
      [12, loadSome],
      [2 * trouble, loadPast],
      [trouble, restart],
      [trouble, () => (stored.size > 0 ? rewind() : loadSome())],
    ]);
  }
  await store.transaction((tx) => loader.finish(tx));
}

async function dumpRanked(store: Store): Promise<Record<string, unknown[]>> {
  await loadRanks(store, 0);
  return dump(store);
}

async function countUnfolded(store: Store): Promise<number> {
  const [row] = await store.transaction((tx) => tx.read('state', ['key'], [['unfolded_logs']]));
  return row?.value ?? Number.NaN;
}
