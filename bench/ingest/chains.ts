import type { RawLog } from '../../src/protocol/parse-log.ts';
import type { Store } from '../../src/store/store.ts';
import type { Anvil } from '../../test/indexer/anvil.ts';
import { addressesOn, startChains, startIndexer, untilIndexed } from '../../test/indexer/harness.ts';

/** Fewer, fuller blocks than in reality: making them takes longer than reading them. */
const LOGS_PER_BLOCK = 200;
/** Enough empty blocks to make those with logs final. */
const FINAL = 8;

/** Plays logs on three nodes, about as many as are wanted. */
export async function recordChains(source: Iterable<RawLog>, wanted: number) {
  const anvils = await startChains();
  const waiting = new Map(anvils.map((anvil) => [anvil.chainId, { anvil, logs: [] as RawLog[] }]));
  const contracts = new Map(anvils.map(({ chainId }) => [chainId, new Set<string>(addressesOn(chainId))]));
  let count = 0;
  for (const log of source) {
    const chain = waiting.get(log.chainId);
    if (chain === undefined || !contracts.get(log.chainId)?.has(log.address)) continue;
    chain.logs.push(log);
    count += 1;
    if (chain.logs.length === LOGS_PER_BLOCK) await chain.anvil.mine(chain.logs.splice(0));
    if (count === wanted) break;
  }
  for (const { anvil, logs } of waiting.values()) {
    await anvil.mine(logs);
    await anvil.mineMany(FINAL);
  }
  const stop = async () => {
    for (const anvil of anvils) await anvil.stop();
  };
  return { anvils, logs: count, stop };
}

/** Indexes until the database has all that the nodes have. */
export async function indexChains(store: Store, anvils: readonly Anvil[]): Promise<void> {
  const indexer = startIndexer(store, anvils, { ranksMs: 3_600_000 });
  await untilIndexed(store, anvils, indexer);
  await indexer.stop();
}
