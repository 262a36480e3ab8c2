import { type Deployment, deployments } from '../../src/protocol/deployments.ts';
import type { Address } from '../../src/protocol/hex.ts';
import { readIncomplete } from '../../src/store/incomplete-contracts.ts';
import type { Store } from '../../src/store/store.ts';
import type { Random } from '../model/random.ts';
import type { EmittedLog, EvmNode } from './evm-node.ts';
import { addressesOn, type RunningIndexer, untilIndexed } from './harness.ts';
import { randomBlock, until } from './reorg-support.ts';

export const CHAIN = 8453;
export const FOURTH_CHAIN = 42161;
/** Further contracts with the events of ListRecords. */
export const ADDED: Address = `0x${'ad'.repeat(20)}`;
export const ON_FOURTH: Address = `0x${'a4'.repeat(20)}`;
const RECORDS = addressesOn(CHAIN).at(-1) ?? ADDED;

const { mainnet } = deployments;
const records = (chainId: number, address: Address) =>
  ({ chainId, address, role: 'list-records', startBlock: 1 }) as const;
export const withAdded: Deployment = { ...mainnet, contracts: [...mainnet.contracts, records(CHAIN, ADDED)] };
export const withFourth: Deployment = {
  ...mainnet,
  contracts: [...mainnet.contracts, records(FOURTH_CHAIN, ON_FOURTH)],
};

/** Logs of one block, of which many are of the added contract, or lead to its lists. */
export function mixedBlock(random: Random): EmittedLog[] {
  const [from, to] = [RECORDS.slice(2), ADDED.slice(2)];
  return randomBlock(random, CHAIN).map((log) =>
    random.chance(0.5)
      ? log
      : { ...log, address: log.address === RECORDS ? ADDED : log.address, data: log.data.replaceAll(from, to) },
  );
}

/** Waits until all that the nodes have is stored, also what is read by a cursor of its own. */
export async function untilComplete(store: Store, nodes: readonly EvmNode[], indexer: RunningIndexer): Promise<void> {
  await untilIndexed(store, nodes, indexer);
  await until(async () => (await readIncomplete(store.reader)).length === 0, indexer);
}
