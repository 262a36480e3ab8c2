import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { batches, overlap } from '../../src/async/batches.ts';
import { BATCH } from '../../src/import/import-file.ts';
import { decodeLogs } from '../../src/ingest/ingest-logs.ts';
import { loadAtOnce } from '../../src/ingest/load-logs.ts';
import type { ChainLog } from '../../src/protocol/decode-log.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { measureBareInserts } from './bare-inserts.ts';

/** Unix time of the last generated log. */
export const NOW = 1_790_000_000;
const roleOf = createRoleOf(deployments.mainnet);

/** A temporary folder for databases. */
export interface ScratchFolder {
  readonly folder: string;
  /** Opens an empty database. */
  openFresh(threads: boolean): Promise<Store>;
  close(): Promise<void>;
}

export async function createScratchFolder(): Promise<ScratchFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-bench-'));
  let databases = 0;
  return {
    folder,
    openFresh: (threads) =>
      openStore({ engine: 'sqlite', path: join(folder, `${databases++}.db`) }, { threads, onError: fail }),
    close: () => rm(folder, { recursive: true }),
  };
}

function fail(error: Error): never {
  throw error;
}

/** Decodes, folds and writes parsed logs. */
export async function loadParsed(store: Store, parsed: readonly ChainLog[]): Promise<void> {
  await store.transaction((tx) =>
    loadAtOnce(tx, { now: Date.now }, async (loader) => {
      await overlap(decodeAll(parsed), async (batch) => void (await loader.load(tx, batch)));
      await loader.finish(tx);
    }),
  );
}

async function* decodeAll(parsed: readonly ChainLog[]) {
  for await (const batch of batches(parsed, BATCH)) yield decodeLogs(roleOf, batch);
}

/** Microseconds per log and per bare insert, one of each per round. */
export interface LoadTimes {
  readonly logs: readonly number[];
  readonly bare: readonly number[];
}

/** Times a load alternately with bare inserts. */
export async function timeLoads(
  { folder }: ScratchFolder,
  logCount: number,
  rounds: number,
  open: () => Promise<Store>,
  load: (store: Store) => Promise<void>,
): Promise<LoadTimes> {
  const logs: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    bare.push(measureBareInserts(join(folder, 'bare.db')));
    const store = await open();
    const began = performance.now();
    await load(store);
    logs.push(((performance.now() - began) * 1000) / logCount);
    await store.close();
  }
  return { logs, bare };
}
