import { join } from 'node:path';
import { type Answerer, startNodeProxy } from '../../../test/indexer/node-proxy.ts';
import type { LogBody } from '../../../test/model/encode-log.ts';
import { follow, ownList, slotOf } from '../../../test/model/small-history.ts';
import { startFakeEnsNode } from '../../../test/names/ens/fake-ens-node.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { startPostgresServer } from '../../../test/support/postgres-server.ts';
import { indexingEnv } from '../../harness/indexing.ts';
import { type KithServer, spawnKith, startKith } from '../../harness/kith.ts';
import { until } from '../../harness/numbers.ts';
import { childrenOf } from '../../harness/process-samples.ts';
import { request } from '../../harness/request.ts';
import { startSimulatedChain } from '../../harness/simulated-chain.ts';
import type { Conditions, Setting } from './case.ts';

/** `altered-process.ts` alters what the process sees. */
export const ALTERED = {
  NODE_OPTIONS: `--import=${new URL('../../harness/altered-process.ts', import.meta.url).href}`,
};

/** Followed by all others. */
export const TOP = accountAt(0);
const HONEST = accountAt(1);
/** The primary name of this account is `evil.eth`. It is not in the graph before `addEvil`. */
const EVIL_INDEX = 2;
/** More than the newest blocks that are never final. */
const FIRST_BLOCKS = 60;
const DEPTH = { FINALITY_DEPTH_8453: '12', FINALITY_DEPTH_10: '12' };
const VERIFY_AFTER_MS = 15_000;

export function accountAt(i: number): `0x${string}` {
  return `0x${(i + 1).toString(16).padStart(40, 'b')}`;
}

interface ServiceOptions {
  readonly engine?: 'sqlite' | 'postgres';
  readonly accounts?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Adds names before the service starts. */
  addNames?(ens: Awaited<ReturnType<typeof startFakeEnsNode>>): void;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** A real `kith start` that indexes two simulated chains, and that reads names from a third node. */
export async function startService({ folder, defer }: Setting, options: ServiceOptions = {}) {
  const { engine = 'sqlite', accounts = 4, env = {}, addNames } = options;
  const startTime = Math.floor(Date.now() / 1000) - 3600;
  const [base, other] = await Promise.all([8453, 10].map((chainId) => startSimulatedChain(chainId, startTime)));
  const ens = await startFakeEnsNode();
  if (base === undefined || other === undefined) throw new Error('no chain was started');
  for (const { stop } of [base, other, ens]) defer(stop);
  ens.addName('evil.eth', accountAt(EVIL_INDEX));
  addNames?.(ens);
  base.mine(Array.from({ length: accounts }, (_, i) => (i === EVIL_INDEX ? [] : listOf(i))).flat());
  for (let i = 0; i < FIRST_BLOCKS; i++) for (const chain of [base, other]) chain.mine([]);

  /** What the two nodes do instead of the right answer, if anything. */
  const hostile: { ens?: Answerer; node?: Answerer } = {};
  const between = (target: string, which: keyof typeof hostile) =>
    startNodeProxy(target, (call, forward) => hostile[which]?.(call, forward) ?? forward(call));
  const [node, names] = await Promise.all([between(base.url, 'node'), between(ens.url, 'ens')]);
  for (const { stop } of [node, names]) defer(stop);
  const postgres = engine === 'postgres' ? await startPostgresServer() : null;
  if (postgres !== null) defer(postgres.stop);
  const indexerPort = await freePort();
  const given = {
    DATABASE_URL: postgres?.url ?? `sqlite:${join(folder, 'kith.db')}`,
    ...indexingEnv([base, other]),
    ...DEPTH,
    RPC_URL_1: names.url,
    INDEX_CHAINS: '8453,10',
    // A node that is caught lying is replaced by the next one.
    RPC_URL_8453: `${node.url},${base.url}`,
    INDEXER_OPERATIONS_PORT: String(indexerPort),
    FRESH_RATE_LIMIT: 'off',
    // Profiles are refreshed again and again.
    PROFILE_MAX_AGE_S: '1',
    ...env,
  };
  let kith: KithServer = await startKith('start', given);
  const stop = () => killTree(kith);
  defer(stop);
  const statusOf = async () => {
    const { status, body } = await request(indexerPort, '/status', { timeoutMs: 2_000 });
    return status === 200 ? (JSON.parse(body) as StatusOfChains) : null;
  };
  const isAtHead = async ({ chainId, head }: typeof base) => {
    const { number, hash } = head();
    const chain = (await statusOf())?.chains.find((one) => one.chainId === chainId);
    return chain?.indexed.number === number && chain.indexed.hash === hash;
  };
  const verify = async () => {
    if (!(await until(() => isAtHead(base), VERIFY_AFTER_MS))) return false;
    return (await spawnKith(['verify', '--all'], { ...given, RPC_URL_8453: base.url }).exit()) === 0;
  };
  let verified: Promise<boolean> | undefined;
  let changes = 0;
  const others: Conditions = {
    'the profile of another account is fetched': async () => {
      const description = `honest ${++changes}`;
      ens.addName('honest.eth', HONEST, { texts: { description } });
      return (await get('/users/honest.eth/details?cache=fresh')).includes(description);
    },
    'other lookups are answered': async () => (await get(`/users/${TOP}/followers?limit=1&n=${++changes}`)) !== '',
    'another chain is indexed': async () => {
      if (await isAtHead(other)) other.mine([follow(slotOf(9n, 10), TOP)]);
      return until(() => isAtHead(other), 3_000);
    },
  };
  const get = async (path: string) => {
    const { status, body } = await request(kith.port, `/api/v1${path}`, { timeoutMs: 5_000 });
    return status === 200 ? body : '';
  };
  return {
    ...{ base, ens, hostile, others, get },
    output: () => kith.output(),
    addEvil: () => base.mine(listOf(EVIL_INDEX)),
    get pid() {
      return kith.pid;
    },
    get port() {
      return kith.port;
    },
    get ports() {
      return [kith.port, indexerPort];
    },
    async restart() {
      stop();
      await kith.exit();
      kith = await startKith('start', given);
      await until(async () => (await request(indexerPort, '/health', { timeoutMs: 2_000 })).status === 200, 20_000);
    },
    /** Whether the stored logs are those of the chains. Found out once. */
    isVerified: () => (verified ??= verify()),
  };
}

interface StatusOfChains {
  readonly chains: readonly { chainId: number; indexed: { number: number; hash: string } }[];
}

/** The primary list of the n-th account, which follows the first one. */
export function listOf(i: number): LogBody[] {
  const slot = slotOf(BigInt(i + 1));
  return [...ownList(accountAt(i), BigInt(i), slot), follow(slot, i === 0 ? HONEST : TOP)];
}

/** A blocked child process does not notice that its parent process has gone. */
function killTree({ pid }: Pick<KithServer, 'pid'>): void {
  for (const one of [...childrenOf(pid), pid]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has exited.
    }
  }
}
