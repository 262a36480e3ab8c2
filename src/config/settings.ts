import { deployments } from '../protocol/deployments.ts';
import {
  parseChainIds,
  parseDatabaseUrl,
  parseDeploymentName,
  parseDownloadUrl,
  parseEventIds,
  parseInteger,
  parseKey,
  parseListRecords,
  parseOrigin,
  parseRateLimit,
  parseText,
  parseTrustProxy,
  parseWebUrl,
  parseWebUrls,
  parseWord,
} from './parsers.ts';
import type { Declaration, Setting } from './setting.ts';

/** POAP event numbers, in response order. */
export const DEFAULT_BADGE_EVENTS = ['177709', '178064', '178065', '178066', '183182'] as const;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const MEBIBYTE = 2 ** 20;
/** Times are given in seconds, and kept in milliseconds. */
const SECOND = 1000;
const parseAge = parseInteger(1, 99_999_999, SECOND);

/**
 * The one declaration of every setting, under the title of its section in docs/settings.md. That page and `kith --help`
 * are generated from it.
 */
export const GROUPS = {
  Database: {
    DATABASE_URL: {
      fallback: 'sqlite:data/kith.db',
      description: 'database: sqlite:PATH, or postgres://USER:PASSWORD@HOST/DATABASE',
      parse: parseDatabaseUrl,
    },
    DATABASE_POOL: {
      fallback: '10',
      description: 'number of PostgreSQL connections for lookups, per process',
      parse: parseInteger(1, 1000),
    },
  },
  'HTTP server': {
    HOST: { fallback: '127.0.0.1', description: 'address to listen on', parse: parseText },
    PORT: {
      fallback: '3000',
      description: 'port to listen on, 0 for any free port',
      parse: parseInteger(0, 65_535),
      aliases: [{ name: 'API_PORT' }],
    },
    OPERATIONS_PORT: {
      description:
        'separate port for probes and metrics, which do not wait there behind clients; the only port of kith index',
      parse: parseInteger(1, 65_535),
    },
    WORKERS: {
      fallback: '1',
      description: 'number of HTTP processes, which share the port',
      parse: parseInteger(1, 256),
    },
    CACHE_MB: {
      fallback: '32',
      description: 'size of the response cache in MiB, per process, 0 to disable it',
      parse: parseInteger(0, 65_536, MEBIBYTE),
    },
    SPOOL_MB: {
      fallback: '1024',
      description:
        'temporary disk space in MiB for long responses that wait for their clients, per process; one client may use a quarter',
      parse: parseInteger(1, 1_048_576, MEBIBYTE),
    },
    MAX_CONNECTIONS: {
      fallback: '10000',
      description:
        'open connections, per process; for a further one, the longest idle one is closed, or else the new one',
      parse: parseInteger(1, 1_000_000),
    },
    MAX_CONNECTIONS_PER_CLIENT: {
      fallback: '1000',
      description: 'the same for each client address, except the proxies in TRUST_PROXY',
      parse: parseInteger(1, 1_000_000),
    },
    MAX_EVENT_STREAMS: {
      fallback: '5000',
      description: 'open event streams and pages of events that are read, divided among the WORKERS; above it, 503',
      parse: parseInteger(1, 1_000_000),
    },
    MAX_EVENT_STREAMS_PER_CLIENT: {
      fallback: '100',
      description: 'the same for each client address; above it, 429',
      parse: parseInteger(1, 1_000_000),
    },
    EVENT_STREAM_S: {
      fallback: '3600',
      description: 'seconds after which an event stream ends, at most; its client connects again and misses nothing',
      parse: parseInteger(1, 604_800, SECOND),
    },
    MAX_EVENT_LOOP_DELAY_MS: {
      fallback: '1000',
      description: 'mean delay of the event loop above which requests are rejected with 503, 0 to never reject them',
      parse: parseInteger(0, 60_000),
    },
    TRUST_PROXY: {
      description:
        'proxies whose X-Forwarded-For and X-Request-Id are taken over: addresses and subnets, separated by commas',
      parse: parseTrustProxy,
    },
    RATE_LIMIT: {
      fallback: 'off',
      description: 'REQUESTS/SECONDS: maximum of a client address, per process; or off',
      parse: parseRateLimit,
    },
    FRESH_RATE_LIMIT: {
      fallback: '30/60',
      description: 'the same for calls of remote sources by cache=fresh; above it, requests are answered without them',
      parse: parseRateLimit,
    },
    PUBLIC_URL: {
      description:
        'URL at which people reach the service, such as https://kith.example, for previews of links to its pages; if not set, they have no picture',
      parse: parseOrigin,
    },
    PROFILE_URL: {
      fallback: 'https://efp.app/',
      description: 'base URL of profile pages, which the address of an account is appended to',
      parse: parseWebUrl,
    },
    MCP: {
      fallback: 'on',
      description: 'on or off: whether models may call lookups by the Model Context Protocol, at /mcp',
      parse: parseWord(['on', 'off']),
    },
    MAX_LAG_S: {
      description: 'lag of a chain in seconds above which /ready is 503; if not set, any lag is accepted',
      parse: parseInteger(1, 99_999_999),
    },
    SHUTDOWN_DELAY_S: {
      fallback: '3',
      description:
        'seconds after SIGTERM in which requests are still accepted and /ready is 503, so that load balancers notice',
      parse: parseInteger(0, 300, SECOND),
    },
    LOG_LEVEL: {
      fallback: 'info',
      description: `minimum level of log lines: ${LOG_LEVELS.join(', ')}`,
      parse: parseWord(LOG_LEVELS),
    },
  },
  Indexer: {
    DEPLOYMENT: {
      fallback: 'mainnet',
      description: `contracts to index: ${Object.keys(deployments).join(' or ')}, or the path of a JSON file`,
      parse: parseDeploymentName,
    },
    'LIST_RECORDS_<chainId>': {
      description:
        'contracts with lists that are indexed besides those of the deployment, on any chain: addresses separated by commas, each with the block before its first log, such as 0x…@1234; the block may be left out if START_BLOCK_<chainId> or the deployment has one',
      parse: parseListRecords,
    },
    'RPC_URL_<chainId>': {
      description: 'JSON-RPC endpoints of a chain, separated by commas, in order of preference (failover)',
      parse: parseWebUrls,
      aliases: [
        { name: 'PRIMARY_RPC_BASE', chainId: 8453 },
        { name: 'SECONDARY_RPC_BASE', chainId: 8453 },
        { name: 'PRIMARY_RPC_OP', chainId: 10 },
        { name: 'SECONDARY_RPC_OP', chainId: 10 },
        { name: 'PRIMARY_RPC_ETH', chainId: 1 },
        { name: 'SECONDARY_RPC_ETH', chainId: 1 },
      ],
    },
    INDEX_CHAINS: {
      description:
        'chains to index, separated by commas, or none; if not set, all chains of the deployment that have an RPC_URL_<chainId>',
      parse: parseChainIds,
    },
    'START_BLOCK_<chainId>': {
      description: 'first block to index, instead of the block of the deployment',
      parse: parseInteger(0, 999_999_999),
    },
    'FINALITY_DEPTH_<chainId>': {
      description:
        'newest blocks that are never final, whatever a node says: by default 300 on OP Mainnet, Base and their testnets, and 64 on other chains',
      parse: parseInteger(0, 100_000),
    },
    'BLOOM_CHECK_<chainId>': {
      description:
        'on or off: whether logs must be in the bloom filter of their block; by default on for the chains of mainnet and testnet, and off for others, of which some have empty filters',
      parse: parseWord(['on', 'off']),
    },
    COMPARE_NODES: {
      fallback: 'off',
      description:
        'on or off: whether blocks of the head are stored with their logs, and rolled back, only if two nodes of RPC_URL_<chainId> have the same; chains with one node are not compared',
      parse: parseWord(['on', 'off']),
    },
    SNAPSHOT_URL: {
      description:
        'https URL of a file of kith export logs, which kith start loads into an empty database and then continues from',
      parse: parseDownloadUrl,
    },
    POLL_INTERVAL_MS: {
      fallback: '2000',
      description: 'polling interval for new blocks',
      parse: parseInteger(10, 3_600_000),
    },
    RANKS_INTERVAL_MS: {
      fallback: '60000',
      description: 'minimum time between leaderboard updates',
      parse: parseInteger(100, 86_400_000),
      aliases: [{ name: 'LEADERBOARD_RANKING_INTERVAL' }],
    },
    INDEXER_OPERATIONS_PORT: {
      description: 'OPERATIONS_PORT of the indexer that kith start runs',
      parse: parseInteger(1, 65_535),
    },
    RPC_CALLS_PER_SECOND: {
      description:
        'calls per second to each node, shared by indexing, ENS and kith verify; if not set, there is no limit',
      parse: parseInteger(1, 100_000),
    },
    RPC_CALLS_IN_FLIGHT: {
      description: 'calls to each node at the same time, shared in the same way; if not set, there is no limit',
      parse: parseInteger(1, 10_000),
    },
    RPC_TIMEOUT_MS: {
      fallback: '30000',
      description: 'timeout of a JSON-RPC request of the indexer',
      parse: parseInteger(100, 600_000),
    },
  },
  'ENS names and profiles': {
    PROFILE_MAX_AGE_S: { fallback: '86400', description: 'age at which a profile is refreshed', parse: parseAge },
    NAME_REQUESTS_PER_SECOND: {
      fallback: '20',
      description: 'rate limit of the background refresh of profiles, 0 to fetch profiles on demand only',
      parse: parseInteger(0, 10_000),
    },
    CCIP_READ: {
      fallback: 'on',
      description: 'on or off: whether to send CCIP-read requests (EIP-3668) to the gateways that resolvers name',
      parse: parseWord(['on', 'off']),
    },
    IPFS_GATEWAY: {
      fallback: 'https://ipfs.io',
      description: 'gateway for the URLs of avatars on IPFS',
      parse: parseWebUrl,
    },
    ARWEAVE_GATEWAY: {
      fallback: 'https://arweave.net',
      description: 'gateway for the URLs of avatars on Arweave',
      parse: parseWebUrl,
    },
  },
  Badges: {
    POAP_API_KEY: {
      description: 'key of the POAP API; if not set, only imported badges are served',
      parse: parseKey,
      aliases: [{ name: 'POAP_API_TOKEN' }],
    },
    POAP_API_URL: { fallback: 'https://api.poap.tech', description: 'base URL of the POAP API', parse: parseWebUrl },
    BADGE_EVENTS: {
      fallback: DEFAULT_BADGE_EVENTS.join(','),
      description: 'POAP event numbers, separated by commas, in response order',
      parse: parseEventIds,
    },
    BADGE_HELD_MAX_AGE_S: {
      fallback: '86400',
      description: 'age at which a held badge is checked again',
      parse: parseAge,
    },
    BADGE_NOT_HELD_MAX_AGE_S: {
      fallback: '3600',
      description: 'age at which a badge that is not held is checked again',
      parse: parseAge,
    },
  },
  'Name and badge sources': {
    SOURCE_TIMEOUT_MS: {
      fallback: '5000',
      description: 'timeout of a request to a name or badge source',
      parse: parseInteger(100, 600_000),
    },
    SOURCE_REQUESTS_PER_SECOND: {
      fallback: '20',
      description:
        'rate limit of the requests to each name or badge source that clients cause, divided among the WORKERS; beyond it they wait, or stored data is served',
      parse: parseInteger(1, 10_000),
    },
    SOURCE_DEADLINE_MS: {
      fallback: '3000',
      description: 'maximum time that a request waits for name and badge sources in all',
      parse: parseInteger(100, 600_000),
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Declaration>>>>;

export const settings = {
  ...GROUPS.Database,
  ...GROUPS['HTTP server'],
  ...GROUPS.Indexer,
  ...GROUPS['ENS names and profiles'],
  ...GROUPS.Badges,
  ...GROUPS['Name and badge sources'],
};

export const SETTINGS: readonly Setting[] = Object.entries<Declaration>(settings).map(([name, declared]) => ({
  name,
  fallback: '',
  ...declared,
}));

/** The names of EFP's own services by the variable that they stand for, such as RPC_URL_8453. */
export function aliasesByVariable(): Map<string, readonly string[]> {
  const pairs = SETTINGS.flatMap(({ name, aliases = [] }) =>
    aliases.map((alias) => ({ alias: alias.name, variable: name.replace('<chainId>', String(alias.chainId)) })),
  );
  const grouped = Map.groupBy(pairs, ({ variable }) => variable);
  return new Map([...grouped].map(([variable, group]) => [variable, group.map(({ alias }) => alias)]));
}
