import type { ChainLog } from '../protocol/decode-log.ts';
import type { RoleOf } from '../protocol/deployments.ts';
import type { Transaction } from '../store/store.ts';
import { type Ingested, ingestLogs, storeUnfolded } from './ingest-logs.ts';
import { placeAccounts } from './place-accounts.ts';
import { rebuildGraph } from './rebuild/rebuild-graph.ts';

/** Takes in an amount of logs that is not known beforehand, each batch in a transaction of the caller's. */
export interface LogLoader {
  load(tx: Transaction, logs: readonly ChainLog[]): Promise<Ingested>;
  /** Makes the graph right, if it is not. Must be called at the end. */
  finish(tx: Transaction): Promise<void>;
}

/** Below this, applying changes is always quicker than making the whole graph again. */
const FEW_LOGS = 20_000;
/** Folding a log in bulk costs about a quarter of applying it. */
const BULK_SHARE = 1 / 4;

/** Applies few logs as changes; from a large share of the whole on it only stores them, and rebuilds the graph once. */
export function createLogLoader(roleOf: RoleOf): LogLoader {
  let added = 0;
  return {
    async load(tx, logs) {
      const { logs: stored, unfolded_logs: unfolded } = await readCounts(tx);
      const isBulk = unfolded > 0 || added + logs.length > Math.max(FEW_LOGS, stored * BULK_SHARE);
      const ingested = await (isBulk ? storeUnfolded(tx, roleOf, logs) : ingestLogs(tx, roleOf, logs));
      added += ingested.added;
      return ingested;
    },
    async finish(tx) {
      const { unfolded_logs: unfolded } = await readCounts(tx);
      await (unfolded > 0 ? rebuildGraph(tx, () => undefined) : placeAccounts(tx));
    },
  };
}

async function readCounts(tx: Transaction): Promise<{ logs: number; unfolded_logs: number }> {
  const rows = await tx.read('state', ['key'], [['logs'], ['unfolded_logs']]);
  const numberOf = (key: string) => rows.find((row) => row.key === key)?.value ?? 0;
  return { logs: numberOf('logs'), unfolded_logs: numberOf('unfolded_logs') };
}
