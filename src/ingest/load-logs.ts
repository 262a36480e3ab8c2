import { settleAll } from '../async/settle-all.ts';
import { Ids } from '../rows/ids.ts';
import { readState } from '../store/state.ts';
import type { Transaction } from '../store/store.ts';
import { type DecodedLogs, type FreshLogs, type Ingested, ingestLogs, storeLogs } from './ingest-logs.ts';
import { CollectedLogs } from './rebuild/collected-logs.ts';
import { makeGraph, rebuildGraph } from './rebuild/rebuild-graph.ts';

export interface LogLoaderOptions {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Up to this many logs, changes are applied one by one. */
  readonly fewLogs?: number;
}

type Load =
  /** Few logs: every batch is applied as a change. `added` counts the logs of this load. */
  | { readonly kind: 'apply'; readonly added: number }
  /** Many logs: they are stored, and the fold reads them back from the table. */
  | { readonly kind: 'store' }
  /** One transaction that fills an empty database: the logs are stored, and the fold takes them from memory. */
  | Collect;

interface Collect {
  readonly kind: 'collect';
  readonly logs: CollectedLogs;
  readonly ids: Ids;
  /** The last batch. It is collected while the database stores the next one. */
  pending: FreshLogs | null;
}

/** Below this, applying changes is always faster than rebuilding the graph. */
const FEW_LOGS = 20_000;
/** Folding a log in bulk costs about a quarter of applying it. */
const BULK_SHARE = 1 / 4;

/** For loads that span transactions. Nothing that a rollback would invalidate is kept between them. */
export function createLogLoader(options: LogLoaderOptions) {
  return createLoader(options, { kind: 'apply', added: 0 });
}

/**
 * For a load that is one transaction. `work` must not use the loader in any other one, and must end with `finish`. An
 * empty database is filled without the index of the logs, which is built at the end.
 */
export async function loadAtOnce<T>(
  tx: Transaction,
  options: LogLoaderOptions,
  work: (loader: LogLoader) => Promise<T>,
): Promise<T> {
  const numberOf = await readState(tx);
  if (numberOf('logs') > 0) return work(createLogLoader(options));
  const ids = await Ids.readAll(tx);
  const loader = createLoader(options, { kind: 'collect', logs: new CollectedLogs(), ids, pending: null });
  return tx.withoutIndexes(['logs'], () => work(loader));
}

export type LogLoader = ReturnType<typeof createLogLoader>;

/** Loads batches of logs, each in a transaction of the caller. How many there will be is not known in advance. */
function createLoader({ now, fewLogs = FEW_LOGS }: LogLoaderOptions, initial: Load) {
  let load = initial;

  const isBulk = async (tx: Transaction, logs: number) => {
    const numberOf = await readState(tx);
    const stored = numberOf('logs');
    return stored === 0 || numberOf('unfolded_logs') > 0 || logs > Math.max(fewLogs, stored * BULK_SHARE);
  };
  /** Folds the unfolded logs and ranks. Returns the accounts that joined the leaderboard; null if there was no fold. */
  const fold = async (tx: Transaction): Promise<readonly string[] | null> => {
    const numberOf = await readState(tx);
    if (numberOf('unfolded_logs') === 0) return null;
    if (load.kind !== 'collect') return rebuildGraph(tx, now());
    await collectPending(load);
    return makeGraph(tx, now(), load.logs, load.ids);
  };

  return {
    async load(tx: Transaction, logs: DecodedLogs): Promise<Ingested> {
      if (load.kind === 'apply' && (await isBulk(tx, load.added + logs.decoded.length))) load = { kind: 'store' };
      switch (load.kind) {
        case 'apply': {
          const ingested = await ingestLogs(tx, logs);
          load = { kind: 'apply', added: load.added + ingested.added };
          return ingested;
        }
        case 'store':
          return (await storeUnfolded(tx, new Ids(), logs)).ingested;
        case 'collect': {
          const collect = load;
          const [{ fresh, ingested }] = await settleAll([
            storeUnfolded(tx, collect.ids, logs),
            collectPending(collect),
          ]);
          collect.pending = fresh;
          return ingested;
        }
      }
    },
    /** Whether there are so many unfolded logs that they should be folded before more are stored. */
    async isFoldDue(tx: Transaction) {
      const numberOf = await readState(tx);
      const unfolded = numberOf('unfolded_logs');
      // Doubling: all folds of a load together then cost at most twice the last one.
      return unfolded >= Math.max(fewLogs, numberOf('logs') - unfolded);
    },
    fold,
    /** Folds and ends the load; every load must end with it. The next batch starts a new load. */
    async finish(tx: Transaction) {
      const joined = await fold(tx);
      load = { kind: 'apply', added: 0 };
      return joined;
    },
  };
}

async function collectPending(collect: Collect): Promise<void> {
  for (const row of collect.pending?.rows ?? []) collect.logs.add(collect.ids, row);
  collect.pending = null;
}

async function storeUnfolded(tx: Transaction, ids: Ids, logs: DecodedLogs) {
  const { fresh, ...ingested } = await storeLogs(tx, ids, logs);
  await tx.count({ unfolded_logs: fresh.logs.length });
  return { fresh, ingested };
}
