import type { HttpLimits } from '../http/server/limits.ts';
import type { IndexerConfig } from '../indexer/indexer-config.ts';
import { chainsOf } from '../protocol/deployments.ts';
import type { RpcLimits } from '../rpc/node-limit.ts';
import type { DatabaseLocation } from '../store/open-store.ts';
import type { DatabaseUrl } from './parsers.ts';
import { ConfigError, type Environment, readPerChain, readSetting, type Setting } from './setting.ts';
import { settings } from './settings.ts';
import type { BadgeSourceConfig, NameSourceConfig, SourcesConfig } from './sources-config.ts';

export interface Config extends IndexerConfig {
  readonly port: number;
  readonly operationsPort: number | null;
  /** Of the indexer that `kith start` runs. */
  readonly indexerOperationsPort: number | null;
  readonly host: string;
  readonly workers: number;
  readonly database: DatabaseLocation;
  readonly cacheBytes: number;
  readonly limits: HttpLimits;
  readonly sources: SourcesConfig;
  /** Without a slash at its end, like `profileUrl`; null if not set. */
  readonly publicUrl: string | null;
  readonly profileUrl: string;
  /** Null if any lag is accepted. */
  readonly maxLagSeconds: number | null;
  readonly shutdownDelayMs: number;
  readonly logLevel: string;
  /** The chains to index. `rpcUrls` has those of them that have endpoints. */
  readonly indexedChains: readonly number[];
  /** Of each node. */
  readonly rpcLimits: RpcLimits;
  /** What `kith start` loads into an empty database. */
  readonly snapshotUrl: string | null;
}

/** ENS is deployed on Ethereum, and for tests on Sepolia. */
const ENS_CHAIN = 1;
const ENS_TEST_CHAIN = 11_155_111;

/** Throws a `ConfigError` that names the variable. */
export function readConfig(environment: Environment): Config {
  const read = <T>(setting: Setting<T>): T => readSetting(setting, environment);
  const { database, server, indexer, names, badges, sources } = settings;
  const deployment = read(indexer.deployment);
  const chains = chainsOf(deployment);
  const rpcUrls = readPerChain(indexer.rpcUrls, environment, [...new Set([...chains, ENS_CHAIN])]);
  const nameSource = nameSourceOf(rpcUrls);
  const indexedChains = indexedChainsOf(read(indexer.chains), chains, rpcUrls);
  return {
    port: read(server.port),
    operationsPort: read(server.operationsPort),
    indexerOperationsPort: read(indexer.operationsPort),
    host: read(server.host),
    workers: read(server.workers),
    database: locationOf(read(database.url), read(database.poolSize)),
    cacheBytes: read(server.cacheBytes),
    limits: {
      maxConnections: read(server.maxConnections),
      maxEventLoopDelayMs: read(server.maxEventLoopDelayMs),
      trustProxy: read(server.trustProxy),
      rateLimit: read(server.rateLimit),
      freshRateLimit: read(server.freshRateLimit),
    },
    deployment,
    sources: {
      names: nameSource,
      profileMaxAgeMs: read(names.profileMaxAgeMs),
      nameRequestsPerSecond: read(names.requestsPerSecond),
      ccipRead: read(names.ccipRead) === 'on',
      gateways: {
        ipfs: read(names.ipfsGateway),
        arweave: read(names.arweaveGateway),
        network: nameSource.kind === 'chain' && nameSource.chainId === ENS_TEST_CHAIN ? 'sepolia' : 'mainnet',
      },
      badges: badgeSourceOf(read(badges.key), read(badges.url)),
      badgeEvents: read(badges.events),
      badgeHeldMs: read(badges.heldMs),
      badgeNotHeldMs: read(badges.notHeldMs),
      requestsPerSecond: read(sources.requestsPerSecond) / read(server.workers),
      timeoutMs: read(sources.timeoutMs),
      deadlineMs: read(sources.deadlineMs),
    },
    publicUrl: read(server.publicUrl),
    profileUrl: read(server.profileUrl),
    maxLagSeconds: read(server.maxLagSeconds),
    shutdownDelayMs: read(server.shutdownDelayMs),
    logLevel: read(server.logLevel),
    indexedChains,
    // RPC_URL_1 may be set for ENS alone.
    rpcUrls: new Map([...rpcUrls].filter(([chainId]) => indexedChains.includes(chainId))),
    snapshotUrl: read(indexer.snapshotUrl),
    startBlocks: readPerChain(indexer.startBlocks, environment, chains),
    pollMs: read(indexer.pollMs),
    ranksMs: read(indexer.ranksMs),
    rpcTimeoutMs: read(indexer.rpcTimeoutMs),
    rpcLimits: { callsPerSecond: read(indexer.rpcCallsPerSecond), callsInFlight: read(indexer.rpcCallsInFlight) },
  };
}

/** `listed` is the value of INDEX_CHAINS. */
function indexedChainsOf(
  listed: readonly number[] | null,
  chains: readonly number[],
  rpcUrls: ReadonlyMap<number, unknown>,
): readonly number[] {
  if (listed === null) return chains.filter((chainId) => rpcUrls.has(chainId));
  const { name } = settings.indexer.chains;
  const unknown = listed.find((chainId) => !chains.includes(chainId));
  if (unknown !== undefined)
    throw new ConfigError(name, `expected some of the chains ${chains.join(', ')}, got ${unknown}`);
  return [...new Set(listed)];
}

function locationOf(url: DatabaseUrl, poolSize: number): DatabaseLocation {
  return url.engine === 'sqlite' ? url : { ...url, poolSize };
}

function nameSourceOf(rpcUrls: ReadonlyMap<number, readonly string[]>): NameSourceConfig {
  for (const chainId of [ENS_CHAIN, ENS_TEST_CHAIN]) {
    const urls = rpcUrls.get(chainId);
    if (urls !== undefined) return { kind: 'chain', chainId, urls };
  }
  return { kind: 'none' };
}

function badgeSourceOf(key: string | null, url: string): BadgeSourceConfig {
  return key === null ? { kind: 'none' } : { kind: 'poap', url, key };
}
