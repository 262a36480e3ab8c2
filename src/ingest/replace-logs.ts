import type { Transaction } from '../store/store.ts';
import type { DecodedLogs } from './ingest-logs.ts';
import { createLogLoader } from './load-logs.ts';
import { removeLogs } from './rewind.ts';

/** Replaces all stored logs of some blocks. `now` is the time of a ranking, in Unix milliseconds. */
export async function replaceLogs(
  tx: Transaction,
  chainId: number,
  blocks: readonly number[],
  logs: DecodedLogs,
  now: number,
): Promise<void> {
  const keys = blocks.map((block) => [chainId, block]);
  const removed = await tx.read('logs', ['chain_id', 'block_number'], keys);
  await tx.remove(
    'blocks',
    blocks.map((number) => ({ chain_id: chainId, number })),
  );
  await removeLogs(tx, chainId, removed, now);
  const loader = createLogLoader({ now: () => now });
  await loader.load(tx, logs);
  await loader.finish(tx);
}
