import type { RawLog } from '../../src/protocol/parse-log.ts';
import type { Store } from '../../src/store/store.ts';
import type { Anvil } from '../../test/indexer/anvil.ts';
import { addressesOn, startChains, startIndexer, untilIndexed } from '../../test/indexer/harness.ts';

/** More than in reality, because mining blocks takes longer than reading them. */
const LOGS_PER_BLOCK = 200;
/** Empty blocks that finalize the ones before. */
const FINAL = 8;

/** Emits up to `limit` logs on three nodes. */
export async function recordChains(source: Iterable<RawLog>, limit: number) {
  const anvils = await startChains();
  const pending = new Map(anvils.map((anvil) => [anvil.chainId, { anvil, logs: [] as RawLog[] }]));
  const contracts = new Map(anvils.map(({ chainId }) => [chainId, new Set<string>(addressesOn(chainId))]));
  let count = 0;
  for (const log of source) {
    const chain = pending.get(log.chainId);
    if (chain === undefined || !contracts.get(log.chainId)?.has(log.address)) continue;
    chain.logs.push(log);
    count += 1;
    if (chain.logs.length === LOGS_PER_BLOCK) await chain.anvil.mine(chain.logs.splice(0));
    if (count === limit) break;
  }
  for (const { anvil, logs } of pending.values()) {
    await anvil.mine(logs);
    await anvil.mineMany(FINAL);
  }
  const stop = async () => {
    for (const anvil of anvils) await anvil.stop();
  };
  return { anvils, logs: count, stop };
}

/** Indexes until the database has all blocks of the nodes. */
export async function indexChains(store: Store, anvils: readonly Anvil[]): Promise<void> {
  const indexer = startIndexer(store, anvils, { ranksMs: 3_600_000 });
  await untilIndexed(store, anvils, indexer);
  await indexer.stop();
}
