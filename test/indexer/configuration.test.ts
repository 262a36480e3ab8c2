import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/setting.ts';
import { startBlockOf, trustOf } from '../../src/indexer/index-chain.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import type { Store } from '../../src/store/store.ts';
import { failureIn, spawnKith } from '../commands/run-kith.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, CAT, DAN, follow, logsOf } from '../model/small-history.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { anyEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';
import { type EvmNode, startNode } from './evm-node.ts';
import { addressesOn, play, type RunningIndexer, startIndexer, untilIndexed } from './harness.ts';
import { SECRETS, startProxy } from './provider-proxy.ts';
import { createSimulatedIndexer } from './simulation-indexer.ts';

/** The discard port: nothing listens there. */
const UNREACHABLE = 'http://127.0.0.1:9';

describe('readConfig', () => {
  it('reads RPC URLs and start blocks per chain', () => {
    const config = readConfig({
      RPC_URL_8453: 'https://a.example/key, http://b.example:8545 ',
      RPC_URL_10: 'http://c.example',
      RPC_URL_1: ' ',
      START_BLOCK_10: '7',
    });
    expect(config.rpcUrls).toEqual(
      new Map([
        [8453, ['https://a.example/key', 'http://b.example:8545']],
        [10, ['http://c.example']],
      ]),
    );
    expect(config.startBlocks).toEqual(new Map([[10, 7]]));
    expect(config).toMatchObject({ pollMs: 2_000, ranksMs: 60_000, rpcTimeoutMs: 30_000 });
  });

  it('rejects RPC URLs for chains that the deployment does not have', () => {
    const settings = { RPC_URL_84532: 'http://a.example' };
    expect(readConfig({ ...settings, DEPLOYMENT: 'testnet' }).rpcUrls.size).toBe(1);
    expect(() => readConfig(settings)).toThrow(
      /^RPC_URL_84532: expected one of the chains 8453, 10, 1; LIST_RECORDS_84532 adds a chain$/,
    );
  });

  it('indexes all chains with RPC URLs, unless INDEX_CHAINS names some', () => {
    const urls = { RPC_URL_8453: 'http://a.example', RPC_URL_10: 'http://b.example', RPC_URL_1: 'http://c.example' };
    const chainsOf = (chains: string) => {
      const { indexedChains, rpcUrls, sources } = readConfig({ ...urls, INDEX_CHAINS: chains });
      return { indexedChains, withUrls: [...rpcUrls.keys()], names: sources.names.kind };
    };
    expect(chainsOf('')).toEqual({ indexedChains: [8453, 10, 1], withUrls: [8453, 10, 1], names: 'chain' });
    expect(chainsOf('8453, 10')).toEqual({ indexedChains: [8453, 10], withUrls: [8453, 10], names: 'chain' });
    expect(chainsOf('none')).toEqual({ indexedChains: [], withUrls: [], names: 'chain' });
  });

  it('expects the chains of INDEX_CHAINS to be indexed by another process when there are no RPC URLs', () => {
    expect(readConfig({ INDEX_CHAINS: '10,10' })).toMatchObject({ indexedChains: [10], rpcUrls: new Map() });
  });

  it.each([
    ['84532', /^INDEX_CHAINS: expected some of the chains 8453, 10, 1, got 84532$/],
    ['base', /^INDEX_CHAINS: expected a whole number/],
    ['10,', /^INDEX_CHAINS: expected a whole number/],
  ])('rejects INDEX_CHAINS=%s', (chains, message) => {
    expect(() => readConfig({ INDEX_CHAINS: chains })).toThrow(message);
  });

  it.each(['wss://a.example/SECRET', 'SECRET', 'https://a.example,,https://b.example/SECRET', 'http://a b/SECRET'])(
    'rejects an invalid URL without repeating it in the error: RPC_URL_8453=%s',
    (urls) => {
      const read = () => readConfig({ RPC_URL_8453: urls });
      expect(read).toThrow(ConfigError);
      expect(read).toThrow(
        /^RPC_URL_8453: expected http or https URLs separated by commas, but number [12] is not one$/,
      );
    },
  );

  it.each([
    ['START_BLOCK_10', '-1'],
    ['START_BLOCK_10', 'latest'],
    ['POLL_INTERVAL_MS', '9'],
    ['RANKS_INTERVAL_MS', '1.5'],
    ['RPC_TIMEOUT_MS', '0'],
  ])('names the variable of an invalid value: %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: expected a whole number from `));
  });
});

describe('LIST_RECORDS', () => {
  const [first, second] = [`0x${'Ad'.repeat(20)}`, `0x${'ae'.repeat(20)}`];
  const records = deployments.mainnet.contracts.find(({ chainId }) => chainId === 10)?.address;

  it('adds contracts and chains to the deployment, each with a start block', () => {
    const { deployment, rpcUrls } = readConfig({
      ...{
        LIST_RECORDS_42161: `${first}@7, ${second}@9`,
        RPC_URL_42161: 'http://a.example',
        FINALITY_DEPTH_42161: '9',
      },
      ...{ LIST_RECORDS_10: first, LIST_RECORDS_100: first, START_BLOCK_100: '3' },
    });
    const added = deployment.contracts.slice(deployments.mainnet.contracts.length);
    expect(added.map(({ chainId, address, startBlock }) => [chainId, address, startBlock])).toEqual([
      [42161, first.toLowerCase(), 7],
      [42161, second, 9],
      [10, first.toLowerCase(), 125_790_000],
      [100, first.toLowerCase(), 3],
    ]);
    expect([...rpcUrls.keys()]).toEqual([42161]);
    expect(startBlockOf({ deployment, startBlocks: new Map() }, 42161)).toBe(7);
  });

  it.each([
    [
      { LIST_RECORDS_10: '0x12' },
      /^LIST_RECORDS_10: expected ADDRESS or ADDRESS@BLOCK, separated by commas, got "0x12"$/,
    ],
    [{ LIST_RECORDS_10: `${first}@latest` }, /^LIST_RECORDS_10: expected a whole number from 0/],
    [
      { LIST_RECORDS_10: `${first},${first}@5` },
      /^LIST_RECORDS_10: 0xad.* is named twice, or is a contract of the deploy/,
    ],
    [
      { LIST_RECORDS_10: `${records}` },
      /^LIST_RECORDS_10: 0x4ca0.* is named twice, or is a contract of the deployment$/,
    ],
    [
      { LIST_RECORDS_5: first },
      /^LIST_RECORDS_5: where do the logs of 0xad.* begin\? Write 0xad.*@BLOCK, or set START_BLOCK_5$/,
    ],
    [{ LIST_RECORDS_BASE: first }, /^LIST_RECORDS_BASE: expected a number of a chain$/],
  ] as [Record<string, string>, RegExp][])('rejects %j', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });
});

describe('the trust in the nodes of a chain', () => {
  const urls = { RPC_URL_8453: 'http://a.example,http://b.example', RPC_URL_1: 'http://c.example' };
  const trusts = (environment: Record<string, string>) => {
    const config = readConfig({ ...urls, ...environment });
    return [1, 10, 8453, 31337].map((chainId) => trustOf(config, chainId));
  };
  const trust = (finalityDepth: number, checksBlooms: boolean, comparesNodes = false) => {
    return { finalityDepth, checksBlooms, comparesNodes };
  };

  it('has a default for each chain', () => {
    expect(trusts({})).toEqual([trust(64, true), trust(300, true), trust(300, true), trust(64, false)]);
  });

  it('can be set for each chain, and compares the nodes of those that have several', () => {
    const environment = { FINALITY_DEPTH_10: '0', BLOOM_CHECK_1: 'off', COMPARE_NODES: 'on' };
    expect(trusts(environment)).toEqual([trust(64, false), trust(0, true), trust(300, true, true), trust(64, false)]);
  });
});

describe('readConfig with a deployment in a file', () => {
  let folder: string;
  let path: string;
  const contract = { chainId: 31337, role: 'list-records', address: `0x${'A'.repeat(40)}` };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kith-test-'));
    path = join(folder, 'deployment.json');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('reads contracts and start blocks from the file', async () => {
    await writeFile(path, JSON.stringify({ contracts: [contract], startBlocks: { 31337: 3 } }));
    const { deployment, rpcUrls } = readConfig({ DEPLOYMENT: path, RPC_URL_31337: 'http://a.example' });
    expect(deployment).toEqual({
      name: 'custom',
      contracts: [{ ...contract, address: contract.address.toLowerCase() }],
      startBlocks: { 31337: 3 },
    });
    expect(rpcUrls.size).toBe(1);
  });

  it.each([
    ['{', /JSON/],
    ['[]', /expected a JSON object/],
    ['{}', /contracts: expected an array of contracts/],
    ['{"contracts":[]}', /contracts: expected an array of contracts/],
    ['{"contracts":[{"chainId":1,"role":"list-records"}]}', /contracts\[0\]\.address: expected an address/],
    [
      JSON.stringify({ contracts: [{ ...contract, role: 'registry' }] }),
      /contracts\[0\]\.role: expected one of list-registry/,
    ],
    [
      JSON.stringify({ contracts: [{ ...contract, chainId: '1' }] }),
      /contracts\[0\]\.chainId: expected a whole number/,
    ],
    [JSON.stringify({ contracts: [contract], startBlocks: { 1: -1 } }), /startBlocks\.1: expected a whole number/],
  ])('names the invalid field of the file: %s', async (text, message) => {
    await writeFile(path, text);
    const read = () => readConfig({ DEPLOYMENT: path });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/^DEPLOYMENT: expected one of mainnet, testnet, or the path of a JSON file/);
    expect(read).toThrow(message);
  });

  it('fails when the file does not exist', () => {
    expect(() => readConfig({ DEPLOYMENT: path })).toThrow(/^DEPLOYMENT: .*ENOENT/);
  });
});

describe.each(anyEngine)('kith index into $name', (engine) => {
  const own = useOwnDatabase(engine);
  let store: Store;
  let node: EvmNode;
  let indexer: Pick<RunningIndexer, 'stop'> | undefined;

  beforeEach(async () => {
    store = await own.open();
    node = await startNode(8453);
    await node.install(addressesOn(8453));
  });
  afterEach(async () => {
    await indexer?.stop();
    indexer = undefined;
    await node.stop();
  });

  it('exits with code 2 and names the missing variables when no node is configured', async () => {
    const outcome = await spawnKith(['index'], { env: { DATABASE_URL: own.database.url } });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(failureIn(outcome.stderr)).toBe(
      'nothing to index: set at least one of RPC_URL_8453, RPC_URL_10, RPC_URL_1 [E_USAGE]',
    );
  });

  it('exits with code 2 and names the variable when a chain of INDEX_CHAINS has no node', async () => {
    const env = { DATABASE_URL: own.database.url, RPC_URL_8453: node.url, INDEX_CHAINS: '8453,10' };
    const { code, stderr } = await spawnKith(['index'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('INDEX_CHAINS names chain 10: set RPC_URL_10');
  });

  it('exits with code 2 when a chain that was added has no node', async () => {
    const env = { DATABASE_URL: own.database.url, RPC_URL_8453: node.url, LIST_RECORDS_5: `0x${'ad'.repeat(20)}@1` };
    const { code, stderr } = await spawnKith(['index'], { env });
    expect({ code, failure: failureIn(stderr) }).toEqual({
      code: 2,
      failure: 'LIST_RECORDS_5 is set: set RPC_URL_5 as well [E_USAGE]',
    });
  });

  it('rejects a node of another chain, and prints only the host of its URL', async () => {
    const proxy = await startProxy(node.url);
    const env = { DATABASE_URL: own.database.url, RPC_URL_10: proxy.url };
    const { code, stderr } = await spawnKith(['index'], { env });
    expect(code).toBe(1);
    expect(failureIn(stderr)).toBe(
      `RPC_URL_10: ${proxy.host} is a node of chain 8453, not of chain 10 [E_WRONG_CHAIN]`,
    );
    for (const secret of SECRETS) expect(stderr).not.toContain(secret);
    await proxy.stop();
  });

  it('rejects a fallback node of another chain on start, even if the first node answers', async () => {
    const other = await startNode(10);
    try {
      const env = { DATABASE_URL: own.database.url, RPC_URL_8453: `${node.url},${other.url}` };
      const { code, stderr } = await spawnKith(['index'], { env });
      expect(code).toBe(1);
      expect(failureIn(stderr)).toContain('is a node of chain 10, not of chain 8453 [E_WRONG_CHAIN]');
    } finally {
      await other.stop();
    }
  });

  it('indexes the other chains while the node of one chain is unreachable', async () => {
    await play([node], logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
    await node.mineMany(3);
    const started = startIndexer(store, [node], {
      rpcUrls: new Map([
        [8453, [node.url]],
        [10, [UNREACHABLE]],
      ]),
      startBlocks: new Map([
        [8453, 0],
        [10, 0],
      ]),
    });
    indexer = started;
    await untilIndexed(store, [node], started);
    const [account] = await store.transaction((tx) => tx.read('accounts', ['address'], [[BOB]]));
    expect(account).toMatchObject({ followers: 1 });
  });

  it('logs which chains have no node, and serves lists that are stored there as empty', async () => {
    const history = logsOf([...annsList, ...bobsList, follow(ANNS, BOB), follow(BOBS, ANN)]);
    await play([node], history);
    await node.mineMany(3);
    const started = startIndexer(store, [node]);
    indexer = started;
    await untilIndexed(store, [node], started);
    const logged = started.log.join('');
    expect(logged).toContain('chain 10 is not indexed: lists stored on it will be empty');
    expect(logged).toContain('chain 1 is not indexed: lists stored on it will be empty');
    expect(logged).not.toContain('chain 8453 is not indexed');
    const service = await startService(store);
    expect((await service.get('/lists/2/details')).status).toBe(200);
    expect((await service.get(`/users/${BOB}/followers`)).json.followers).toHaveLength(1);
    expect((await service.get(`/users/${ANN}/followers`)).json.followers).toEqual([]);
    await service.close();
  });

  it('computes ranks when the graph has changed, at most once per interval', async () => {
    let [time, elapsed] = [1_000_000, 0];
    let rounds = 0;
    const counted: Store = {
      ...store,
      createIndexerLock(monotonic) {
        const lock = store.createIndexerLock(monotonic);
        return {
          ...lock,
          keep() {
            rounds += 1;
            return lock.keep();
          },
        };
      },
    };
    /** Each maintenance round begins by renewing the lock. Waits for one that began after this call to end. */
    const roundPassed = () => {
      const before = rounds;
      return expect.poll(() => rounds).toBeGreaterThanOrEqual(before + 2);
    };
    const ranksMadeAt = async () =>
      (await store.transaction((tx) => tx.read('state', ['key'], [['ranked_at']])))[0]?.value;
    const rpcUrls = new Map([[8453, [node.url]]]);
    const ranked = createSimulatedIndexer({
      store: counted,
      rpcUrls,
      ranksMs: 60_000,
      now: () => time,
      monotonic: () => elapsed,
    });
    indexer = ranked;
    ranked.start();
    // A round with nothing to rank does not start the interval.
    await roundPassed();
    expect(await ranksMadeAt()).toBe(0);

    await play([node], logsOf([...annsList, follow(ANNS, BOB)]));
    await ranked.untilIndexed([node]);
    const first = time;
    await expect.poll(ranksMadeAt).toBe(first);

    await play([node], logsOf([follow(ANNS, CAT)]));
    await ranked.untilIndexed([node]);
    elapsed += 59_999;
    // The system clock is set, which is no reason to rank.
    time += 86_400_000;
    await roundPassed();
    expect(await ranksMadeAt()).toBe(first);
    elapsed += 1;
    const second = time;
    await expect.poll(ranksMadeAt).toBe(second);

    await node.mine();
    await ranked.untilIndexed([node]);
    elapsed += 60_000;
    await roundPassed();
    expect(await ranksMadeAt()).toBe(second);

    // Set back, which does not delay the next ranking.
    time -= 2 * 86_400_000;
    await play([node], logsOf([follow(ANNS, DAN)]));
    await ranked.untilIndexed([node]);
    elapsed += 60_000;
    await expect.poll(ranksMadeAt).toBe(second + 1);
  });
});
