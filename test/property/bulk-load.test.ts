import { afterEach, describe, expect, it } from 'vitest';
import { decodeLogs } from '../../src/ingest/ingest-logs.ts';
import { createLogLoader } from '../../src/ingest/load-logs.ts';
import { rewindChain } from '../../src/ingest/rewind.ts';
import { decodeLog } from '../../src/protocol/decode-log.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import { parseRawLog, type RawLog } from '../../src/protocol/parse-log.ts';
import { computeRanks } from '../../src/ranks/compute-ranks.ts';
import type { Store, Transaction } from '../../src/store/store.ts';
import { createRandom, type Random } from '../model/random.ts';
import { cutIntoBatches, randomHistory } from '../model/random-history.ts';
import { dump } from '../support/dump.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';

/** KITH_SEED replays one history, KITH_SEEDS sets the number of histories. */
const given = process.env.KITH_SEED;
const first = Number(given ?? 1);
const count = given === undefined ? Number(process.env.KITH_SEEDS ?? 3) : 1;
const seeds = Array.from({ length: count }, (_, i) => first + i);
/** Everything in bulk, nearly everything, and applied changes as long as there are few logs. */
const cases = seeds.flatMap((seed) => [0, 3, 20].map((fewLogs) => [fewLogs, seed] as const));

/** Long enough for several folds, short enough to be quick. */
const LOGS = 300;

const roleOf = createRoleOf(deployments.mainnet);
const createLoader = (fewLogs: number) => createLogLoader({ now: () => 0, fewLogs });
const decode = (logs: readonly RawLog[]) => decodeLogs(roleOf, logs.map(parseRawLog));
const blockOf = (log: RawLog) => Number.parseInt(log.blockNumber, 16);
const keyOf = (log: RawLog) => `${log.chainId}/${log.blockNumber}/${log.logIndex}`;

class Rollback extends Error {}

describe.each(engines)('a bulk load of a random history on $name', (engine) => {
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
  /** The rows of a clean replay of the history. */
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
    'ends in the same rows as a clean replay, with rollbacks, restarts, rewinds and rankings in between (fewLogs=%i, KITH_SEED=%i)',
    async (fewLogs, seed) => {
      const store = await open();
      await loadSomehow(store, createRandom(seed * 1_000 + fewLogs), fewLogs, seed);
      const loaded = await dumpRanked(store);
      expect(loaded.notifications?.length).toBeGreaterThan(0);
      expect(loaded).toEqual(await replay(seed));
      expect(await countUnfolded(store)).toBe(0);
    },
  );

  it.each(cases)('is idempotent (fewLogs=%i, KITH_SEED=%i)', async (fewLogs, seed) => {
    const store = await open();
    const loader = createLoader(fewLogs);
    const batches = cutIntoBatches(seed, randomHistory(seed, { logs: LOGS })).map(decode);
    const load = async (times: number) => {
      const added: number[] = [];
      for (const batch of batches) {
        // Again in the same transaction, and in another one.
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
  });

  // Found by KITH_SEEDS=100: the loader compared only the number of logs with its own.
  describe('does not mistake the same number of logs from another process for its own', () => {
    const [MINE, OTHERS, REST] = [[0, 40] as const, [40, 80] as const, [80, 120] as const];
    const logs = randomHistory(1, { logs: LOGS }).filter((log) => decodeLog(roleOf, parseRawLog(log)).kind === 'write');
    const part = ([from, to]: readonly [number, number]) => logs.slice(from, to);
    const check = async (store: Store) => {
      const loaded = await dumpRanked(store);
      const clean = await open();
      await loadLogs(clean, logs.slice(0, REST[1]));
      expect(loaded).toEqual(await dumpRanked(clean));
    };

    it('after a transaction that was rolled back', async () => {
      const store = await open();
      await loadLogs(store, part(OTHERS));
      const loader = createLoader(0);
      const load = async (tx: Transaction) => void (await loader.load(tx, decode(part(MINE))));
      const failed = store.transaction(async (tx) => {
        await load(tx);
        throw new Rollback();
      });
      await expect(failed).rejects.toThrow(Rollback);
      await store.transaction(load);
      await store.transaction((tx) => loader.load(tx, decode(part(REST))));
      await store.transaction((tx) => loader.finish(tx));
      await check(store);
    });

    it('after a rewind', async () => {
      const store = await open();
      const loader = createLoader(0);
      await store.transaction(async (tx) => {
        await loader.load(tx, decode(part(MINE)));
        await loader.fold(tx);
      });
      const chainId = part(MINE)[0]?.chainId ?? 0;
      const removed = await store.transaction((tx) => rewindChain(tx, chainId, 0, 0));
      expect(removed).toBeGreaterThan(0);
      expect(removed).toBeLessThan(part(MINE).length);
      await loadLogs(store, part(OTHERS).slice(0, removed));
      for (const its of [REST, OTHERS, MINE]) {
        await store.transaction((tx) => loader.load(tx, decode(part(its))));
      }
      await store.transaction((tx) => loader.finish(tx));
      await check(store);
    });
  });
});

/** Loads a history, with everything that may happen between the batches of a load. */
async function loadSomehow(store: Store, random: Random, fewLogs: number, seed: number): Promise<void> {
  const waiting = cutIntoBatches(seed, randomHistory(seed, { logs: LOGS }));
  const stored = new Map<string, RawLog>();
  /** With 0, all logs come from one loader. */
  const trouble = random.pick([0, 1, 3]);
  let loader = createLoader(fewLogs);

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
  /** Loads as another process would. */
  const loadPast = async () => {
    // Applying a change needs a graph without unfolded logs.
    if ((await countUnfolded(store)) > 0) return loadSome();
    const batch = waiting.shift() ?? [];
    await loadLogs(store, batch);
    for (const log of batch) stored.set(keyOf(log), log);
  };
  const restart = async () => {
    loader = createLoader(fewLogs);
    // An indexer folds pending logs when it starts; an import does not.
    if (random.chance(0.5)) await store.transaction((tx) => loader.finish(tx));
  };
  const rewind = async () => {
    const logs = [...stored.values()];
    // Sometimes to an empty chain, where only the ids of subjects are left.
    const toNothing = random.chance(0.25);
    const chainIds = new Set((toNothing ? logs : [random.pick(logs)]).map((log) => log.chainId));
    const removed = await store.transaction(async (tx) => {
      const taken: RawLog[] = [];
      for (const chainId of chainIds) {
        const ofChain = logs.filter((log) => log.chainId === chainId);
        const blocks = [...new Set(ofChain.map(blockOf))].sort((a, b) => b - a);
        const last = toNothing ? 0 : (blocks[1 + random.int(8)] ?? 0);
        await rewindChain(tx, chainId, last, 0);
        taken.push(...ofChain.filter((log) => blockOf(log) > last));
      }
      if (random.chance(0.5)) await computeRanks(tx, 0);
      return taken;
    });
    // A rewind always leaves the graph folded.
    expect(await countUnfolded(store)).toBe(0);
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
