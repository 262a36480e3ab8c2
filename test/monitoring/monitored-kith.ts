import { claimChain } from '../../src/indexer/claim-chain.ts';
import { type Deployment, deployments } from '../../src/protocol/deployments.ts';
import { follow, KITH } from '../commands/run-kith.ts';
import type { Engine, TestDatabase } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';

/** `kith index` and `kith serve` on one database. */
export interface MonitoredKith {
  /** Addresses of the operations ports. */
  readonly targets: readonly string[];
  /** Sends requests that are a cache miss, a hit, a failure of a source and an unknown path. */
  sendRequests(): Promise<void>;
  stop(): Promise<void>;
}

/** Nothing listens there. */
const DEAD = 'http://127.0.0.1:1';
const LISTENING = /Server listening at (http:\/\/[\w.:]*\w)/;

const ADDED = `0x${'ad'.repeat(20)}` as const;

/** A chain that was indexed before a contract was added to it, whose history stays unread without a node. */
async function addContract(database: TestDatabase, chainId: number): Promise<void> {
  const { mainnet } = deployments;
  const added = { chainId, address: ADDED, role: 'list-records', startBlock: 1 } as const;
  const withAdded: Deployment = { ...mainnet, contracts: [...mainnet.contracts, added] };
  const heads = { time: 0, head_number: 100, head_time: 0, finalized_number: 100, checked_at: 0 };
  const store = await database.open();
  await store.transaction(async (tx) => {
    await claimChain(tx, { chainId, deployment: mainnet, startBlock: 1 });
    await tx.upsert('cursors', [{ chain_id: chainId, number: 100, hash: '', ...heads }]);
    await claimChain(tx, { chainId, deployment: withAdded, startBlock: 1 });
  });
  await store.close();
}

/** Indexes a chain from a dead and a working node, another one from a dead node, and names from a dead source. */
export async function startMonitoredKith(engine: Engine, nodeUrl: string): Promise<MonitoredKith> {
  const database = await engine.createOwn();
  await addContract(database, 10);
  const ports = [await freePort(), await freePort()];
  const common = {
    DATABASE_URL: database.url,
    RPC_URL_1: DEAD,
    INDEX_CHAINS: '8453,10',
    LIST_RECORDS_10: `${ADDED}@1`,
    PORT: '0',
    SHUTDOWN_DELAY_S: '0',
  };
  const index = start('index', {
    ...common,
    OPERATIONS_PORT: `${ports[0]}`,
    RPC_URL_8453: `${DEAD},${nodeUrl}`,
    RPC_URL_10: DEAD,
    START_BLOCK_8453: '0',
    POLL_INTERVAL_MS: '200',
    RANKS_INTERVAL_MS: '200',
  });
  const serve = start('serve', { ...common, OPERATIONS_PORT: `${ports[1]}` });
  const [, url = ''] = await serve.untilSaid(LISTENING);
  await index.untilSaid(/serving probes at/);
  return {
    targets: ports.map((port) => `127.0.0.1:${port}`),
    async sendRequests() {
      const name = `n${Math.random().toString(36).slice(2)}.eth`;
      const paths = ['/api/v1/leaderboard/search', `/api/v1/users/${name}/followers`, '/nowhere'];
      for (const path of paths) await (await fetch(url + path)).arrayBuffer();
    },
    async stop() {
      for (const { child } of [index, serve]) child.kill('SIGTERM');
      await Promise.all([index.outcome, serve.outcome]);
      await database.drop();
    },
  };
}

function start(command: 'index' | 'serve', env: Readonly<Record<string, string>>) {
  return follow(process.execPath, [KITH, command], { env });
}
