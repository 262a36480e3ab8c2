import { describe, expect, it } from 'vitest';
import { decodeLogs, ingestLogs } from '../../src/ingest/ingest-logs.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import { parseRawLog, type RawLog } from '../../src/protocol/parse-log.ts';
import type { Store, Transaction } from '../../src/store/store.ts';
import { accountMetadata, type LogBody, word } from '../model/encode-log.ts';
import { createRandom } from '../model/random.ts';
import {
  ANN,
  ANNS,
  annsList,
  BOB,
  BOBS,
  bobsList,
  follow,
  logsOf,
  ownList,
  slotOf,
  tag,
} from '../model/small-history.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { dumpCleanReplay } from '../support/clean-replay.ts';
import { dump } from '../support/dump.ts';
import { historySeeds } from '../support/effort.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';

const roleOf = createRoleOf(deployments.mainnet);
const OTHER = slotOf(9n);
const targets = Array.from({ length: 30 }, (_, i) => `0x${(i + 16).toString(16).repeat(20)}` as const);
/** Ann has two lists of thirty records each, half of them the same. */
const LISTS = [
  ...annsList,
  ...ownList(ANN, 9n, OTHER),
  ...bobsList,
  follow(BOBS, ANN),
  ...targets.slice(0, 20).map((target) => follow(ANNS, target)),
  ...targets.slice(10).map((target) => follow(OTHER, target)),
  ...targets.slice(10, 15).map((target) => tag(OTHER, target, 'block')),
];
const primary = (list: bigint) => accountMetadata(ANN, 'primary-list', word(list));

describe.each(engines)('an account that changes its primary list in each block on $name', (engine) => {
  const own = useOwnDatabase(engine);

  it('costs one change of its edges at most for all the blocks that are applied at once', async () => {
    const store = await own.open();
    const history = [...LISTS, ...[9n, 0n, 5n, 9n, 0n, 9n].map(primary)];
    const logs = logsOf(history);
    await loadLogs(store, logs.slice(0, LISTS.length));
    // The first move is from list 9, the last valid one, to itself by way of others.
    expect(await countWritten(store, logs.slice(LISTS.length))).toEqual({ edges: 0, notifications: 0 });
    const [back] = logsOf([...history, primary(0n)]).slice(-1);
    const moved = await countWritten(store, back === undefined ? [] : [back]);
    expect(moved.edges).toBe(40);
    await loadRanks(store, 0);
    expect(await dump(store)).toEqual(await dumpCleanReplay(engine, logsOf([...history, primary(0n)])));
  });

  it.each(historySeeds(engine.name, 4))(
    'ends in the rows of a clean replay, however blocks are joined (KITH_SEED=%i)',
    async (seed) => {
      const random = createRandom(seed);
      const anyMove = (): LogBody =>
        random.chance(0.6)
          ? primary(random.pick([0n, 5n, 9n]))
          : random.pick([
              follow(random.pick([ANNS, OTHER]), random.pick(targets)),
              tag(OTHER, random.pick(targets), 'top8'),
              follow(BOBS, ANN),
              follow(ANNS, BOB),
            ]);
      const logs = logsOf([...LISTS, ...Array.from({ length: 40 }, anyMove)]);
      const store = await own.open();
      await loadLogs(store, logs.slice(0, LISTS.length));
      for (let from = LISTS.length; from < logs.length; ) {
        const end = from + 1 + random.int(6);
        await loadLogs(store, logs.slice(from, end));
        if (random.chance(0.3)) await loadRanks(store, 0);
        from = end;
      }
      await loadRanks(store, 0);
      expect(await dump(store)).toEqual(await dumpCleanReplay(engine, logs));
    },
  );
});

/** Applies logs in one transaction. Returns how many rows it removed and wrote. */
async function countWritten(store: Store, logs: readonly RawLog[]): Promise<{ edges: number; notifications: number }> {
  const written = { edges: 0, notifications: 0 };
  await store.transaction(async (tx) => {
    const counted =
      (method: 'upsert' | 'remove'): Transaction['upsert'] =>
      (table, rows) => {
        if (table === 'edges') written.edges += rows.length;
        if (table === 'notifications') written.notifications += rows.length;
        return tx[method](table, rows);
      };
    const counting: Transaction = {
      ...tx,
      upsert: counted('upsert'),
      remove: counted('remove') as Transaction['remove'],
    };
    await ingestLogs(counting, decodeLogs(roleOf, logs.map(parseRawLog)));
  });
  return written;
}
