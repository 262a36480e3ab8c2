import { settleAll } from '../async/batches.ts';
import { readLogsState, Subjects } from '../rows/stored-log.ts';
import type { Transaction } from '../store/store.ts';
import { type DecodedLogs, type FreshLogs, type Ingested, ingestLogs, storeLogs } from './ingest-logs.ts';
import { collectFresh } from './rebuild/collect-logs.ts';
import { CollectedLogs } from './rebuild/collected-logs.ts';
import { makeGraph, rebuildGraph } from './rebuild/rebuild-graph.ts';

/** Takes in an amount of logs that is not known beforehand, each batch in a transaction of the caller's. */
export interface LogLoader {
  load(tx: Transaction, logs: DecodedLogs): Promise<Ingested>;
  /** Whether so much waits to be folded that more should not be added to it. */
  isFoldDue(tx: Transaction): Promise<boolean>;
  /** Makes the graph right, if it is not, with more to come. */
  fold(tx: Transaction): Promise<void>;
  /** The same at the end, which must not be left out. What comes after it is a new load. */
  finish(tx: Transaction): Promise<void>;
}

export interface LogLoaderOptions {
  /** Unix milliseconds. A bulk fold ends with a ranking, which has a time. */
  readonly now: () => number;
  readonly fewLogs?: number;
}

/** Below this, applying changes is always quicker than making the whole graph again. */
const FEW_LOGS = 20_000;
/** Folding a log in bulk costs about a quarter of applying it. */
const BULK_SHARE = 1 / 4;

/**
 * Applies few logs as changes. From a large share of the whole on it only stores them and makes the graph when it is
 * told to: from what it has seen, if that is everything there is, else from the database.
 */
export function createLogLoader({ now, fewLogs = FEW_LOGS }: LogLoaderOptions): LogLoader {
  let subjects = new Subjects();
  let collected: CollectedLogs | undefined;
  let added = 0;
  /** The mark that the last load left. */
  let mark: number | undefined;
  let current: Transaction | undefined;
  /** Stored, but not collected yet: that is done while the database is busy with the next. */
  let waiting: FreshLogs | undefined;
  const collectWaiting = async () => {
    if (collected !== undefined && waiting !== undefined) collectFresh(collected, waiting);
    waiting = undefined;
  };

  /** Whether what has been seen is all there is: in another transaction, others may have written before. */
  const look = async (tx: Transaction) => {
    current = tx;
    await collectWaiting();
    const { stored, mark: found } = await readLogsState(tx);
    // Logs that were taken back leave their subjects behind.
    if (stored === 0) [collected, subjects] = [new CollectedLogs(), await Subjects.look(tx)];
    else if (found !== mark) [collected, subjects] = [undefined, new Subjects()];
  };
  const isBulk = async (tx: Transaction, logs: number) => {
    const { stored, unfolded } = await readLogsState(tx);
    return unfolded > 0 || added + logs > Math.max(fewLogs, stored * BULK_SHARE);
  };
  const fold = async (tx: Transaction) => {
    if (tx !== current) await look(tx);
    await collectWaiting();
    const { unfolded } = await readLogsState(tx);
    if (unfolded === 0) return;
    if (collected !== undefined) await makeGraph(tx, now(), collected, subjects);
    else await rebuildGraph(tx, now());
  };
  return {
    fold,
    async load(tx, logs) {
      if (tx !== current) await look(tx);
      // In bulk nothing is waited for until all is on its way to the database.
      if (collected === undefined && !(await isBulk(tx, logs.decoded.length))) {
        const ingested = await ingestLogs(tx, logs);
        added += ingested.added;
        return ingested;
      }
      const before = mark;
      // Until it has succeeded, the subjects that it numbers are not to be relied on.
      mark = undefined;
      const [{ fresh, mark: left, ...ingested }] = await settleAll([storeLogs(tx, subjects, logs), collectWaiting()]);
      [waiting, mark] = [fresh, left ?? before];
      await tx.count({ unfolded_logs: fresh.logs.length });
      added += ingested.added;
      return ingested;
    },
    async isFoldDue(tx) {
      const { stored, unfolded } = await readLogsState(tx);
      // As much again as has been folded: all the foldings settleAll then cost no more than twice the last.
      return unfolded >= Math.max(fewLogs, stored - unfolded);
    },
    async finish(tx) {
      await fold(tx);
      [subjects, collected, added, mark, current] = [new Subjects(), undefined, 0, undefined, undefined];
    },
  };
}

/** Runs a load that is one transaction: where it fills an empty database, the logs' index is made at its end. */
export async function loadAtOnce<T>(tx: Transaction, load: () => Promise<T>): Promise<T> {
  const { stored } = await readLogsState(tx);
  return stored === 0 ? tx.withoutIndexes(['logs'], load) : load();
}
