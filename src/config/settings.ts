import { deployments } from '../protocol/deployments.ts';
import {
  parseChainIds,
  parseDatabaseUrl,
  parseDeploymentName,
  parseDownloadUrl,
  parseEventIds,
  parseInteger,
  parseMebibytes,
  parseOptionalInteger,
  parseOptionalKey,
  parseOptionalOrigin,
  parseRateLimit,
  parseSeconds,
  parseText,
  parseTrustProxy,
  parseWebUrl,
  parseWebUrls,
  parseWord,
} from './parsers.ts';
import type { Setting } from './setting.ts';

/** POAP event numbers, in response order. */
export const DEFAULT_BADGE_EVENTS = ['177709', '178064', '178065', '178066', '183182'] as const;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const parseAge = parseSeconds(1, 99_999_999);

/** The one declaration of every setting. `kith --help` and docs/settings.md are generated from it. */
export const settings = {
  database: {
    url: {
      name: 'DATABASE_URL',
      fallback: 'sqlite:data/kith.db',
      description: 'database: sqlite:PATH, or postgres://USER:PASSWORD@HOST/DATABASE',
      parse: parseDatabaseUrl,
    },
    poolSize: {
      name: 'DATABASE_POOL',
      fallback: '10',
      description: 'number of PostgreSQL connections for lookups, per process',
      parse: parseInteger(1, 1000),
    },
  },
  server: {
    host: { name: 'HOST', fallback: '127.0.0.1', description: 'address to listen on', parse: parseText },
    port: {
      name: 'PORT',
      fallback: '3000',
      description: 'port to listen on, 0 for any free port',
      parse: parseInteger(0, 65_535),
      aliases: [{ name: 'API_PORT' }],
    },
    operationsPort: {
      name: 'OPERATIONS_PORT',
      fallback: '',
      description:
        'separate port for probes and metrics, which do not wait there behind clients; the only port of kith index',
      parse: parseOptionalInteger(1, 65_535),
    },
    workers: {
      name: 'WORKERS',
      fallback: '1',
      description: 'number of HTTP processes, which share the port',
      parse: parseInteger(1, 256),
    },
    cacheBytes: {
      name: 'CACHE_MB',
      fallback: '32',
      description: 'size of the response cache in MiB, per process, 0 to disable it',
      parse: parseMebibytes,
    },
    maxConnections: {
      name: 'MAX_CONNECTIONS',
      fallback: '10000',
      description: 'open connections, per process; further ones are closed at once',
      parse: parseInteger(1, 1_000_000),
    },
    maxEventLoopDelayMs: {
      name: 'MAX_EVENT_LOOP_DELAY_MS',
      fallback: '1000',
      description: 'mean delay of the event loop above which requests are rejected with 503, 0 to never reject them',
      parse: parseInteger(0, 60_000),
    },
    trustProxy: {
      name: 'TRUST_PROXY',
      fallback: '',
      description: 'proxies whose X-Forwarded-For names the client: addresses and subnets, separated by commas',
      parse: parseTrustProxy,
    },
    rateLimit: {
      name: 'RATE_LIMIT',
      fallback: 'off',
      description: 'REQUESTS/SECONDS: maximum of a client address, per process; or off',
      parse: parseRateLimit,
    },
    freshRateLimit: {
      name: 'FRESH_RATE_LIMIT',
      fallback: '30/60',
      description: 'the same for calls of remote sources by cache=fresh; above it, requests are answered without them',
      parse: parseRateLimit,
    },
    publicUrl: {
      name: 'PUBLIC_URL',
      fallback: '',
      description:
        'URL at which people reach the service, such as https://kith.example, for previews of links to its pages; if not set, they have no picture',
      parse: parseOptionalOrigin,
    },
    profileUrl: {
      name: 'PROFILE_URL',
      fallback: 'https://efp.app/',
      description: 'base URL of profile pages, which the address of an account is appended to',
      parse: parseWebUrl,
    },
    maxLagSeconds: {
      name: 'MAX_LAG_S',
      fallback: '',
      description: 'lag of a chain in seconds above which /ready is 503; if not set, any lag is accepted',
      parse: parseOptionalInteger(1, 99_999_999),
    },
    shutdownDelayMs: {
      name: 'SHUTDOWN_DELAY_S',
      fallback: '3',
      description:
        'seconds after SIGTERM in which requests are still accepted and /ready is 503, so that load balancers notice',
      parse: parseSeconds(0, 300),
    },
    logLevel: {
      name: 'LOG_LEVEL',
      fallback: 'info',
      description: `minimum level of log lines: ${LOG_LEVELS.join(', ')}`,
      parse: parseWord(LOG_LEVELS),
    },
  },
  indexer: {
    deployment: {
      name: 'DEPLOYMENT',
      fallback: 'mainnet',
      description: `contracts to index: ${Object.keys(deployments).join(' or ')}, or the path of a JSON file`,
      parse: parseDeploymentName,
    },
    rpcUrls: {
      name: 'RPC_URL_<chainId>',
      fallback: '',
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
    chains: {
      name: 'INDEX_CHAINS',
      fallback: '',
      description:
        'chains to index, separated by commas, or none; if not set, all chains of the deployment that have an RPC_URL_<chainId>',
      parse: parseChainIds,
    },
    startBlocks: {
      name: 'START_BLOCK_<chainId>',
      fallback: '',
      description: 'first block to index, instead of the block of the deployment',
      parse: parseInteger(0, 999_999_999),
    },
    snapshotUrl: {
      name: 'SNAPSHOT_URL',
      fallback: '',
      description:
        'https URL of a file of kith export logs, which kith start loads into an empty database and then continues from',
      parse: parseDownloadUrl,
    },
    pollMs: {
      name: 'POLL_INTERVAL_MS',
      fallback: '2000',
      description: 'polling interval for new blocks',
      parse: parseInteger(10, 3_600_000),
    },
    ranksMs: {
      name: 'RANKS_INTERVAL_MS',
      fallback: '60000',
      description: 'minimum time between leaderboard updates',
      parse: parseInteger(100, 86_400_000),
      aliases: [{ name: 'LEADERBOARD_RANKING_INTERVAL' }],
    },
    operationsPort: {
      name: 'INDEXER_OPERATIONS_PORT',
      fallback: '',
      description: 'OPERATIONS_PORT of the indexer that kith start runs',
      parse: parseOptionalInteger(1, 65_535),
    },
    rpcCallsPerSecond: {
      name: 'RPC_CALLS_PER_SECOND',
      fallback: '',
      description:
        'calls per second to each node, shared by indexing, ENS and kith verify; if not set, there is no limit',
      parse: parseOptionalInteger(1, 100_000),
    },
    rpcCallsInFlight: {
      name: 'RPC_CALLS_IN_FLIGHT',
      fallback: '',
      description: 'calls to each node at the same time, shared in the same way; if not set, there is no limit',
      parse: parseOptionalInteger(1, 10_000),
    },
    rpcTimeoutMs: {
      name: 'RPC_TIMEOUT_MS',
      fallback: '30000',
      description: 'timeout of a JSON-RPC request of the indexer',
      parse: parseInteger(100, 600_000),
    },
  },
  names: {
    profileMaxAgeMs: {
      name: 'PROFILE_MAX_AGE_S',
      fallback: '86400',
      description: 'age at which a profile is refreshed',
      parse: parseAge,
    },
    requestsPerSecond: {
      name: 'NAME_REQUESTS_PER_SECOND',
      fallback: '20',
      description: 'rate limit of the background refresh of profiles, 0 to fetch profiles on demand only',
      parse: parseInteger(0, 10_000),
    },
    ccipRead: {
      name: 'CCIP_READ',
      fallback: 'on',
      description: 'on or off: whether to send CCIP-read requests (EIP-3668) to the gateways that resolvers name',
      parse: parseWord(['on', 'off']),
    },
    ipfsGateway: {
      name: 'IPFS_GATEWAY',
      fallback: 'https://ipfs.io',
      description: 'gateway for the URLs of avatars on IPFS',
      parse: parseWebUrl,
    },
    arweaveGateway: {
      name: 'ARWEAVE_GATEWAY',
      fallback: 'https://arweave.net',
      description: 'gateway for the URLs of avatars on Arweave',
      parse: parseWebUrl,
    },
  },
  badges: {
    key: {
      name: 'POAP_API_KEY',
      fallback: '',
      description: 'key of the POAP API; if not set, only imported badges are served',
      parse: parseOptionalKey,
      aliases: [{ name: 'POAP_API_TOKEN' }],
    },
    url: {
      name: 'POAP_API_URL',
      fallback: 'https://api.poap.tech',
      description: 'base URL of the POAP API',
      parse: parseWebUrl,
    },
    events: {
      name: 'BADGE_EVENTS',
      fallback: DEFAULT_BADGE_EVENTS.join(','),
      description: 'POAP event numbers, separated by commas, in response order',
      parse: parseEventIds,
    },
    heldMs: {
      name: 'BADGE_HELD_MAX_AGE_S',
      fallback: '86400',
      description: 'age at which a held badge is checked again',
      parse: parseAge,
    },
    notHeldMs: {
      name: 'BADGE_NOT_HELD_MAX_AGE_S',
      fallback: '3600',
      description: 'age at which a badge that is not held is checked again',
      parse: parseAge,
    },
  },
  sources: {
    timeoutMs: {
      name: 'SOURCE_TIMEOUT_MS',
      fallback: '5000',
      description: 'timeout of a request to a name or badge source',
      parse: parseInteger(100, 600_000),
    },
    requestsPerSecond: {
      name: 'SOURCE_REQUESTS_PER_SECOND',
      fallback: '20',
      description:
        'rate limit of the requests to each name or badge source that clients cause, divided among the WORKERS; beyond it stored data is served',
      parse: parseInteger(1, 10_000),
    },
    deadlineMs: {
      name: 'SOURCE_DEADLINE_MS',
      fallback: '3000',
      description: 'maximum time that a response waits for a name or badge source',
      parse: parseInteger(100, 600_000),
    },
  },
} as const satisfies Record<string, Record<string, Setting>>;

export const SETTINGS: readonly Setting[] = Object.values(settings).flatMap((group) => Object.values<Setting>(group));
