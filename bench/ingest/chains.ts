import type { RawLog } from '../../src/protocol/parse-log.ts';
import type { Store } from '../../src/store/store.ts';
import type { EvmNode } from '../../test/indexer/evm-node.ts';
import { addressesOn, startChains, startIndexer, untilIndexed } from '../../test/indexer/harness.ts';

/** More than in reality, because mining blocks takes longer than reading them. */
const LOGS_PER_BLOCK = 200;
/** Empty blocks that finalize the ones before. */
const FINAL = 8;

/** Emits up to `limit` logs on three nodes. They run in this process: a profile counts their responses as Node. */
export async function recordChains(source: Iterable<RawLog>, limit: number) {
  const nodes = await startChains();
  const pending = new Map(nodes.map((node) => [node.chainId, { node, logs: [] as RawLog[] }]));
  const contracts = new Map(nodes.map(({ chainId }) => [chainId, new Set<string>(addressesOn(chainId))]));
  let count = 0;
  for (const log of source) {
    const chain = pending.get(log.chainId);
    if (chain === undefined || !contracts.get(log.chainId)?.has(log.address)) continue;
    chain.logs.push(log);
    count += 1;
    if (chain.logs.length === LOGS_PER_BLOCK) await chain.node.mine(chain.logs.splice(0));
    if (count === limit) break;
  }
  for (const { node, logs } of pending.values()) {
    await node.mine(logs);
    await node.mineMany(FINAL);
  }
  const stop = async () => {
    for (const node of nodes) await node.stop();
  };
  return { nodes, logs: count, stop };
}

/** Indexes until the database has all blocks of the nodes. */
export async function indexChains(store: Store, nodes: readonly EvmNode[]): Promise<void> {
  const indexer = startIndexer(store, nodes, { ranksMs: 3_600_000 });
  await untilIndexed(store, nodes, indexer);
  await indexer.stop();
}
