import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OtherDeploymentError } from '../../src/errors/operator-error.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import { readIncomplete } from '../../src/store/incomplete-contracts.ts';
import type { Store } from '../../src/store/store.ts';
import { runKith } from '../commands/run-here.ts';
import { Mirror } from '../live/mirror.ts';
import { storedEvents } from '../live/stored-events.ts';
import { createRandom, type Random } from '../model/random.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { engines } from '../support/engines.ts';
import { newPath } from '../support/new-path.ts';
import { fetchAnswer, type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import {
  ADDED,
  CHAIN,
  FOURTH_CHAIN,
  mixedBlock,
  ON_FOURTH,
  untilComplete,
  withAdded,
  withFourth,
} from './added-contracts-support.ts';
import { type EvmNode, startNode } from './evm-node.ts';
import { addressesOn, type IndexerOverrides, type RunningIndexer, startIndexer, untilIndexed } from './harness.ts';
import { expectCleanReplay, randomBlock } from './reorg-support.ts';

const EPOCH = 3;
/** Blocks that are not final. */
const RECENT = 2 * EPOCH;
const SEED = 49;

describe.each(engines)('a database on $name to which a contract is added', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });
  let random: Random;
  let node: EvmNode;
  let store: Store;
  let indexer: RunningIndexer;
  let service: Service;
  let mirrors: Mirror[];

  beforeEach(async () => {
    random = createRandom(SEED);
    node = await startNode(CHAIN, { epoch: EPOCH });
    await node.install([...addressesOn(CHAIN), ADDED]);
    store = await own.open();
    service = await startService(await own.open());
    mirrors = [new Mirror(), new Mirror(), new Mirror()];
    await mine(12);
  });
  afterEach(async () => {
    for (const mirror of mirrors) mirror.hangUp();
    await service.close();
    await node.stop();
  });

  const mine = async (blocks: number) => {
    for (let i = 0; i < blocks; i++) await node.mine(mixedBlock(random));
  };
  const start = (overrides: IndexerOverrides = { deployment: withAdded }) => {
    indexer = startIndexer(store, [node], overrides);
  };
  /** Indexes the contracts of the protocol, until the first load is complete. */
  const indexFirst = async (overrides: IndexerOverrides = {}) => {
    start(overrides);
    await untilIndexed(store, [node], indexer);
    await waitFor(async () => expect((await status()).isLoading).toBe(false));
    await indexer.stop();
  };
  const indexMore = async (overrides: IndexerOverrides) => {
    start(overrides);
    await mine(RECENT + 2);
    await untilComplete(store, [node], indexer);
    await indexer.stop();
    return indexer.log.join('');
  };
  const status = async () => (await fetchAnswer(`${service.url}/status`)).json;
  const reading = async () => (await status()).chains[0].reading;
  const compareMirrors = async () => {
    const expected = await storedEvents(service);
    for (const mirror of mirrors) {
      if (!mirror.isConnected) await mirror.connect(service.url, 'sse');
      await waitFor(() => expect(mirror.events()).toEqual(expected));
      expect(mirror.repeated).toBe(0);
    }
    return expected;
  };

  it('reads its history while new blocks of all contracts are stored, over a reorg, and tells event streams', async () => {
    const [always, before, during] = mirrors as [Mirror, Mirror, Mirror];
    await indexFirst();
    await always.connect(service.url, 'sse');
    await before.connect(service.url, 'ndjson');
    await compareMirrors();
    before.hangUp();
    during.hangUp();

    start();
    // The last blocks before the addition are not final yet.
    await waitFor(async () => expect(await reading()).toEqual([{ address: ADDED, number: 6, target: 12 }]));
    await mine(2);
    await untilIndexed(store, [node], indexer);
    await waitFor(async () => expect(await reading()).toEqual([{ address: ADDED, number: 8, target: 12 }]));
    await during.connect(service.url, 'sse');
    await node.rollBack(4);
    await mine(5);
    await untilIndexed(store, [node], indexer);
    await waitFor(async () => expect(await reading()).toEqual([{ address: ADDED, number: 9, target: 10 }]));
    await mine(RECENT);
    await untilComplete(store, [node], indexer);
    expect(await reading()).toEqual([]);
    await mine(2);
    await untilIndexed(store, [node], indexer);
    await indexer.stop();

    await expectCleanReplay(store, [node], withAdded);
    const events = await compareMirrors();
    expect(JSON.stringify(events)).toContain(ADDED);
    expect(mirrors.every(({ undone }) => undone > 0)).toBe(true);
    // Nothing is left to undo: an id that was made since has all of it.
    const { undone } = always;
    await always.connect(service.url, 'sse');
    await compareMirrors();
    expect(always.undone).toBe(undone);
  });

  it('keeps what it has when the contract is left out, and reads what it missed when it is back', async () => {
    await indexFirst();
    await indexMore({ deployment: withAdded });
    const logged = await indexMore({});
    expect(logged).toContain('a contract is no longer in LIST_RECORDS');
    const env = { DATABASE_URL: own.database.url, RPC_URL_8453: node.url, FINALITY_DEPTH_8453: '0' };
    expect(await runKith(['verify', '--all'], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/checked: 0 missing, 0 wrong, 0 extra$/m),
    });
    expect(await runKith(['verify', '--all', '--repair'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`LIST_RECORDS_8453 lacks ${ADDED}, whose stored logs would be lost`),
    });
    expect(await readIncomplete(store.reader)).toEqual([]);
    await indexMore({ deployment: withAdded });
    await expectCleanReplay(store, [node], withAdded);
    await compareMirrors();
  });

  it('reads its history again from an earlier block, also from one before the first of the chain', async () => {
    const startBlocks = new Map([[CHAIN, 1]]);
    const contracts = (startBlock: number) =>
      withAdded.contracts.map((contract) => (contract.address === ADDED ? { ...contract, startBlock } : contract));
    await indexFirst({ startBlocks });
    for (const startBlock of [10, 6, 0, 0]) {
      await indexMore({ startBlocks, deployment: { ...withAdded, contracts: contracts(startBlock) } });
      await compareMirrors();
      for (const mirror of mirrors) mirror.hangUp();
    }
    await expectCleanReplay(store, [node], withAdded);
  });

  it('is verified, rewound and exported only as far as it has been read', async () => {
    await indexFirst();
    start();
    await waitFor(async () => expect(await reading()).toEqual([{ address: ADDED, number: 6, target: 12 }]));
    await indexer.stop();
    const env = {
      ...{ DATABASE_URL: own.database.url, RPC_URL_8453: node.url, START_BLOCK_8453: '0', FINALITY_DEPTH_8453: '0' },
      LIST_RECORDS_8453: `${ADDED}@1`,
    };
    const verified = await runKith(['verify', '--all'], { env });
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining(`${ADDED} is not compared`) });
    const repaired = await runKith(['verify', '--repair'], { env });
    expect(repaired).toMatchObject({ code: 1, stderr: expect.stringContaining(`the logs of ${ADDED} have been read`) });
    const file = await newPath('logs.ndjson');
    const refused = await runKith(['export', 'logs', file], { env });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('are still being read') });

    // Above block 4, both are read by the cursor of the chain again.
    expect(await runKith(['rewind', '--chain', '8453', '--block', '4'], { env })).toMatchObject({ code: 0 });
    expect(await reading()).toEqual([]);
    await mine(RECENT);
    start();
    await untilComplete(store, [node], indexer);
    await indexer.stop();
    await expectCleanReplay(store, [node], withAdded);
    expect(await runKith(['rebuild'], { env })).toMatchObject({ code: 0 });
    await expectCleanReplay(store, [node], withAdded);

    expect(await runKith(['export', 'logs', file], { env })).toMatchObject({ code: 0 });
    const other = await own.another();
    const loaded = await runKith(['bootstrap', file], { env: { ...env, DATABASE_URL: other.url } });
    expect(loaded).toMatchObject({ code: 0 });
    const copy = await other.open();
    await expectCleanReplay(copy, [node], withAdded);
    expect(await readIncomplete(copy.reader)).toEqual([]);
    await copy.close();
    const without = { ...env, DATABASE_URL: (await own.another()).url, LIST_RECORDS_8453: '' };
    expect(await runKith(['bootstrap', file], { env: without })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`in the list-records ${ADDED} on chain 8453`),
    });
  });

  it('takes a snapshot without the contract, whose history is read then', async () => {
    const env = {
      ...{ DATABASE_URL: own.database.url, RPC_URL_8453: node.url, START_BLOCK_8453: '0', FINALITY_DEPTH_8453: '0' },
    };
    await indexFirst();
    const file = await newPath('logs.ndjson');
    expect(await runKith(['export', 'logs', file], { env })).toMatchObject({ code: 0 });
    const other = await own.another();
    const extended = { ...env, DATABASE_URL: other.url, LIST_RECORDS_8453: `${ADDED}@1` };
    const tooEarly = await runKith(['export', 'logs', await newPath('logs.ndjson')], {
      env: { ...extended, DATABASE_URL: own.database.url },
    });
    expect(tooEarly).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${ADDED} on chain 8453 is configured, but not indexed yet`),
    });
    expect(await runKith(['bootstrap', file], { env: extended })).toMatchObject({ code: 0 });
    const copy = await other.open();
    await mine(RECENT);
    const copied = startIndexer(copy, [node], { deployment: withAdded });
    await untilComplete(copy, [node], copied);
    await copied.stop();
    await expectCleanReplay(copy, [node], withAdded);
    await copy.close();
  });

  it('refuses a deployment without a contract that was not added later', async () => {
    await indexFirst({ deployment: withAdded });
    const { mainnet } = deployments;
    const contracts = withAdded.contracts.filter(
      ({ chainId, role, address }) => chainId !== CHAIN || role !== 'list-records' || address === ADDED,
    );
    const { ended } = startIndexer(store, [node], { deployment: { ...mainnet, contracts } });
    await expect(ended).rejects.toThrow(OtherDeploymentError);
  });

  it('gets a fourth chain, which ids of events survive', async () => {
    const fourth = await startNode(FOURTH_CHAIN, { epoch: EPOCH });
    try {
      await fourth.install([ON_FOURTH]);
      const records = addressesOn(CHAIN).at(-1);
      const mineFourth = async () => {
        const logs = randomBlock(random, CHAIN).filter(({ address }) => address === records);
        await fourth.mine(logs.map((log) => ({ ...log, address: ON_FOURTH })));
      };
      for (let i = 0; i < 12; i++) await mineFourth();
      await indexFirst();
      await compareMirrors();
      mirrors[1]?.hangUp();
      indexer = startIndexer(store, [node, fourth], { deployment: withFourth });
      await untilIndexed(store, [node, fourth], indexer);
      await fourth.rollBack(2);
      for (let i = 0; i < 4; i++) await mineFourth();
      await untilIndexed(store, [node, fourth], indexer);
      await indexer.stop();
      await expectCleanReplay(store, [node, fourth], withFourth);
      const events = await compareMirrors();
      expect(JSON.stringify(events)).toContain(ON_FOURTH);
      const { chains } = await status();
      expect(chains.map(({ chainId }: { chainId: number }) => chainId)).toEqual([CHAIN, FOURTH_CHAIN]);
      const head = await fourth.blockNumber();
      expect((await service.get(`/leaderboard/count?after=${FOURTH_CHAIN}:${head}`)).status).toBe(200);

      // Left out again: its rows stay.
      indexer = startIndexer(store, [node]);
      await mine(1);
      await untilIndexed(store, [node], indexer);
      await indexer.stop();
      expect(indexer.log.join('')).toContain(`chain ${FOURTH_CHAIN} is not configured any more`);
      await expectCleanReplay(store, [node, fourth], withFourth);
    } finally {
      await fourth.stop();
    }
  });
});
