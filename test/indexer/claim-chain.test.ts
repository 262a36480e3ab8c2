import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OtherDeploymentError } from '../../src/errors/operator-error.ts';
import { EarlierStartBlockError } from '../../src/indexer/claim-chain.ts';
import { type Deployment, deployments } from '../../src/protocol/deployments.ts';
import type { Store } from '../../src/store/store.ts';
import { spawnKith } from '../commands/run-kith.ts';
import { ANNS, annsList, BOB, follow, logsOf } from '../model/small-history.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { anyEngine } from '../support/engines.ts';
import { type EvmNode, startNode } from './evm-node.ts';
import { addressesOn, type IndexerOverrides, indexOnce, play, startIndexer } from './harness.ts';
import { readCursor } from './reorg-support.ts';

const CHAIN = 8453;
const { mainnet, testnet } = deployments;

describe.each(anyEngine)('a database on $name that was indexed from block 2', (engine) => {
  const own = useOwnDatabase(engine);
  let node: EvmNode;
  let store: Store;

  beforeAll(async () => {
    node = await startNode(CHAIN);
    await node.install(addressesOn(CHAIN));
    await play([node], logsOf([...annsList, follow(ANNS, BOB)]));
    await node.mineMany(3);
  });
  afterAll(() => node.stop());
  beforeEach(async () => {
    store = await own.open();
    await index(2);
  });

  const from = (startBlock: number) => ({ startBlocks: new Map([[CHAIN, startBlock]]) });
  const start = (startBlock: number, overrides: IndexerOverrides = {}) =>
    startIndexer(store, [node], { ...from(startBlock), ...overrides });
  const index = async (startBlock: number) => {
    // Without a new block, the chain counts as indexed before the indexer has begun.
    await node.mineMany(1);
    await indexOnce(store, [node], from(startBlock));
  };
  const storedStart = async () =>
    (await store.transaction((tx) => tx.read('indexed_contracts', ['chain_id'], [[CHAIN]])))[0]?.start_block;

  it('refuses an earlier start block', async () => {
    const before = await readCursor(store, CHAIN);
    const { ended } = start(1);
    await expect(ended).rejects.toThrow(EarlierStartBlockError);
    await expect(ended).rejects.toThrow(/^START_BLOCK_8453: the database was indexed from block 2/);
    expect(await readCursor(store, CHAIN)).toEqual(before);
  });

  it('accepts a later start block, and continues from the cursor', async () => {
    await index(3);
    expect(await storedStart()).toBe(2);
  });

  it('accepts any start block when it has no cursor yet', async () => {
    await store.transaction((tx) => tx.remove('cursors', [{ chain_id: CHAIN }]));
    await index(0);
    expect(await storedStart()).toBe(0);
  });

  it('takes the configured start block when an earlier version has not stored one', async () => {
    await store.transaction((tx) => tx.remove('indexed_contracts', [{ chain_id: CHAIN }]));
    await index(1);
    expect(await storedStart()).toBe(1);
  });

  it.each<[string, Deployment, number]>([
    ['on other chains', testnet, 84_532],
    ['with another contract on the same chain', withOtherRecords(), CHAIN],
  ])('refuses a deployment %s', async (_, deployment, chainId) => {
    const before = await readCursor(store, CHAIN);
    const { ended } = start(2, { deployment, rpcUrls: new Map([[chainId, [node.url]]]) });
    await expect(ended).rejects.toThrow(OtherDeploymentError);
    await expect(ended).rejects.toThrow(/^DEPLOYMENT: the logs of the database are from other contracts on chain 8453/);
    expect(await readCursor(store, CHAIN)).toEqual(before);
  });

  it('makes kith index exit with code 1 and an error code', async () => {
    const env = { DATABASE_URL: own.database.url, DEPLOYMENT: 'testnet', RPC_URL_84532: node.url };
    const { code, stderr } = await spawnKith(['index'], { env });
    expect(code).toBe(1);
    expect(stderr).toContain('E_OTHER_DEPLOYMENT');
  });
});

function withOtherRecords(): Deployment {
  const contracts = mainnet.contracts.map((contract) =>
    contract.chainId === CHAIN && contract.role === 'list-records'
      ? { ...contract, address: `0x${'5'.repeat(40)}` as const }
      : contract,
  );
  return { ...mainnet, name: 'custom', contracts };
}
