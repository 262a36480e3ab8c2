import type { Deployment } from '../../src/protocol/deployments.ts';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import { dump } from './dump.ts';
import type { Engine } from './engines.ts';
import { loadLogs, loadRanks } from './load.ts';

/** The rows after loading the logs in one transaction into an empty database. */
export async function dumpCleanReplay(
  engine: Engine,
  logs: readonly RawLog[],
  deployment?: Deployment,
): Promise<Record<string, unknown[]>> {
  const database = await engine.create();
  const store = await database.open();
  try {
    await loadLogs(store, logs, deployment);
    await loadRanks(store, 0);
    return await dump(store);
  } finally {
    await store.close();
    await database.drop();
  }
}
