import type { HttpLimits } from '../http/server/limits.ts';
import type { EventLimits } from '../live/hub.ts';
import type { ImageGateways } from '../names/image-url.ts';
import { type Contract, chainsOf, type Deployment } from '../protocol/deployments.ts';
import type { DatabaseLocation } from '../store/open-store.ts';
import type { DatabaseUrl } from './parsers.ts';
import { ConfigError, type Declaration, type Environment, readPerChain, readSetting } from './setting.ts';
import { settings } from './settings.ts';

/** The values of the settings; `settings` says what each of them means. */
export type Config = Readonly<ReturnType<typeof readConfig>>;
export type SourcesConfig = Readonly<ReturnType<typeof readSources>>;

/** ENS is deployed on Ethereum, and for tests on Sepolia. */
const ENS_CHAIN = 1;
const ENS_TEST_CHAIN = 11_155_111;

type Settings = typeof settings;
type Value<S extends Declaration> = ReturnType<S['parse']> | (S extends { fallback: string } ? never : null);
type Read = <N extends keyof Settings>(name: N) => Value<Settings[N]>;

/** Throws a `ConfigError` that names the variable. */
export function readConfig(environment: Environment) {
  // Safe: only a setting without a fallback can be null.
  const read: Read = (name) => readSetting<unknown>(name, settings[name], environment) as Value<Settings[typeof name]>;
  const deployment = readDeployment(read('DEPLOYMENT'), environment);
  const chains = chainsOf(deployment);
  const nodeChains = [...new Set([...chains, ENS_CHAIN])];
  const nodes = readPerChain('RPC_URL_<chainId>', settings['RPC_URL_<chainId>'], environment, nodeChains);
  const listed = read('INDEX_CHAINS');
  const indexedChains = indexedChainsOf(listed, chains, nodes);
  // RPC_URL_1 may be set for ENS alone.
  const rpcUrls: typeof nodes = new Map([...nodes].filter(([chainId]) => indexedChains.includes(chainId)));
  return {
    port: read('PORT'),
    operationsPort: read('OPERATIONS_PORT'),
    indexerOperationsPort: read('INDEXER_OPERATIONS_PORT'),
    host: read('HOST'),
    workers: read('WORKERS'),
    database: locationOf(read('DATABASE_URL'), read('DATABASE_POOL')),
    cacheBytes: read('CACHE_MB'),
    spoolBytes: read('SPOOL_MB'),
    limits: {
      maxConnections: read('MAX_CONNECTIONS'),
      maxConnectionsPerClient: read('MAX_CONNECTIONS_PER_CLIENT'),
      maxEventLoopDelayMs: read('MAX_EVENT_LOOP_DELAY_MS'),
      trustProxy: read('TRUST_PROXY') ?? false,
      rateLimit: read('RATE_LIMIT'),
      freshRateLimit: read('FRESH_RATE_LIMIT'),
    } satisfies HttpLimits,
    eventLimits: {
      maxStreams: Math.ceil(read('MAX_EVENT_STREAMS') / read('WORKERS')),
      maxStreamsPerClient: Math.ceil(read('MAX_EVENT_STREAMS_PER_CLIENT') / read('WORKERS')),
      maxStreamMs: read('EVENT_STREAM_S'),
    } satisfies EventLimits,
    deployment,
    sources: readSources(read, nodes),
    publicUrl: read('PUBLIC_URL'),
    profileUrl: read('PROFILE_URL'),
    servesMcp: read('MCP') === 'on',
    maxLagSeconds: read('MAX_LAG_S'),
    shutdownDelayMs: read('SHUTDOWN_DELAY_S'),
    logLevel: read('LOG_LEVEL'),
    indexedChains,
    /** Of LIST_RECORDS_<chainId>, unless INDEX_CHAINS leaves them out. */
    addedChains: deployment.contracts
      .filter(({ startBlock, chainId }) => startBlock !== undefined && (listed?.includes(chainId) ?? true))
      .map(({ chainId }) => chainId),
    rpcUrls,
    snapshotUrl: read('SNAPSHOT_URL'),
    startBlocks: readPerChain('START_BLOCK_<chainId>', settings['START_BLOCK_<chainId>'], environment, chains),
    finalityDepths: readPerChain('FINALITY_DEPTH_<chainId>', settings['FINALITY_DEPTH_<chainId>'], environment, chains),
    bloomChecks: readPerChain('BLOOM_CHECK_<chainId>', settings['BLOOM_CHECK_<chainId>'], environment, chains),
    comparesNodes: read('COMPARE_NODES') === 'on',
    pollMs: read('POLL_INTERVAL_MS'),
    ranksMs: read('RANKS_INTERVAL_MS'),
    rpcTimeoutMs: read('RPC_TIMEOUT_MS'),
    rpcLimits: { callsPerSecond: read('RPC_CALLS_PER_SECOND'), callsInFlight: read('RPC_CALLS_IN_FLIGHT') },
  };
}

/** The deployment with the contracts of LIST_RECORDS_<chainId>. */
function readDeployment(deployment: Deployment, environment: Environment): Deployment {
  const perChain = <T>(name: `${string}<chainId>`, declared: Declaration<T>) =>
    readPerChain(name, declared, environment, null);
  const listed = perChain('LIST_RECORDS_<chainId>', settings['LIST_RECORDS_<chainId>']);
  const startBlocks = perChain('START_BLOCK_<chainId>', settings['START_BLOCK_<chainId>']);
  const contracts = [...deployment.contracts];
  for (const [chainId, records] of listed) {
    const variable = `LIST_RECORDS_${chainId}`;
    const known = chainsOf(deployment).includes(chainId) ? (deployment.startBlocks[chainId] ?? 0) : undefined;
    for (const { address, startBlock: given } of records) {
      if (contracts.some((contract) => contract.chainId === chainId && contract.address === address))
        throw new ConfigError(variable, `${address} is named twice, or is a contract of the deployment`);
      const startBlock = given ?? startBlocks.get(chainId) ?? known;
      if (startBlock === undefined) {
        const message = `where do the logs of ${address} begin? Write ${address}@BLOCK, or set START_BLOCK_${chainId}`;
        throw new ConfigError(variable, message);
      }
      contracts.push({ chainId, role: 'list-records', address, startBlock } satisfies Contract);
    }
  }
  return { ...deployment, contracts };
}

function readSources(read: Read, nodes: ReadonlyMap<number, readonly string[]>) {
  const names = nameSourceOf(nodes);
  const [key, url] = [read('POAP_API_KEY'), read('POAP_API_URL')];
  return {
    names,
    profileMaxAgeMs: read('PROFILE_MAX_AGE_S'),
    nameRequestsPerSecond: read('NAME_REQUESTS_PER_SECOND'),
    ccipRead: read('CCIP_READ') === 'on',
    gateways: {
      ipfs: read('IPFS_GATEWAY'),
      arweave: read('ARWEAVE_GATEWAY'),
      network: names.kind === 'chain' && names.chainId === ENS_TEST_CHAIN ? 'sepolia' : 'mainnet',
    } satisfies ImageGateways,
    badges: key === null ? ({ kind: 'none' } as const) : ({ kind: 'poap', url, key } as const),
    badgeEvents: read('BADGE_EVENTS'),
    badgeHeldMs: read('BADGE_HELD_MAX_AGE_S'),
    badgeNotHeldMs: read('BADGE_NOT_HELD_MAX_AGE_S'),
    requestsPerSecond: read('SOURCE_REQUESTS_PER_SECOND') / read('WORKERS'),
    timeoutMs: read('SOURCE_TIMEOUT_MS'),
    deadlineMs: read('SOURCE_DEADLINE_MS'),
  };
}

/** `listed` is the value of INDEX_CHAINS. */
function indexedChainsOf(
  listed: readonly number[] | null,
  chains: readonly number[],
  rpcUrls: ReadonlyMap<number, unknown>,
): readonly number[] {
  if (listed === null) return chains.filter((chainId) => rpcUrls.has(chainId));
  const unknown = listed.find((chainId) => !chains.includes(chainId));
  if (unknown !== undefined)
    throw new ConfigError('INDEX_CHAINS', `expected some of the chains ${chains.join(', ')}, got ${unknown}`);
  return [...new Set(listed)];
}

function locationOf(url: DatabaseUrl, poolSize: number): DatabaseLocation {
  return url.engine === 'sqlite' ? url : { ...url, poolSize };
}

function nameSourceOf(rpcUrls: ReadonlyMap<number, readonly string[]>) {
  for (const chainId of [ENS_CHAIN, ENS_TEST_CHAIN]) {
    const urls = rpcUrls.get(chainId);
    if (urls !== undefined) return { kind: 'chain', chainId, urls } as const;
  }
  return { kind: 'none' } as const;
}
