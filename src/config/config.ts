import { readFileSync } from 'node:fs';
import type { IndexerConfig } from '../indexer/run-indexer.ts';
import { chainsOf, type Deployment, deployments } from '../protocol/deployments.ts';
import type { DatabaseLocation } from '../store/open-store.ts';
import { DEFAULT_BADGE_EVENTS } from './badge-events.ts';
import { parseDeployment } from './parse-deployment.ts';
import type { BadgeSourceConfig, NameSourceConfig, SourcesConfig } from './sources-config.ts';

export interface Config extends IndexerConfig {
  readonly port: number;
  readonly host: string;
  /** HTTP processes. */
  readonly workers: number;
  readonly database: DatabaseLocation;
  readonly cacheBytes: number;
  readonly sources: SourcesConfig;
  readonly logLevel: string;
}

/** A setting that cannot be used; the message names it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MEBIBYTE = 2 ** 20;

/** Every setting there is, with what is said about it in `--help`. */
export const SETTINGS: readonly [name: string, fallback: string, description: string][] = [
  ['DATABASE_URL', 'sqlite:data/kith.db', 'sqlite:PATH, or postgres://USER:PASSWORD@HOST/DATABASE'],
  ['DATABASE_POOL', '10', 'PostgreSQL connections per process'],
  ['HOST', '127.0.0.1', 'address to listen on'],
  ['PORT', '3000', 'port to listen on, 0 for any free one'],
  ['WORKERS', '1', 'processes that answer requests, on one port'],
  ['CACHE_MB', '32', 'memory for cached answers in MiB, per process, 0 for no cache'],
  ['DEPLOYMENT', 'mainnet', `contracts to understand: ${Object.keys(deployments).join(' or ')}, or a JSON file's path`],
  ['RPC_URL_<chainId>', '', 'nodes to index a chain from, separated by commas, the preferred one first'],
  ['START_BLOCK_<chainId>', '', 'block to start a chain at, if not where its contracts begin'],
  ['POLL_INTERVAL_MS', '2000', 'pause between two looks at a chain'],
  ['RANKS_INTERVAL_MS', '60000', 'least time between two makings of the ranks'],
  ['RPC_TIMEOUT_MS', '30000', 'how long a node may take to answer'],
  ['ENSTATE_URL', '', 'enstate server to ask for profiles; without one, ENS is read from RPC_URL_1'],
  ['PROFILE_MAX_AGE_S', '86400', 'age at which a profile is renewed'],
  [
    'NAME_REQUESTS_PER_SECOND',
    '20',
    'most requests a second to keep profiles fresh, 0 to fetch only what is asked for',
  ],
  ['CCIP_READ', 'on', 'on or off: whether names may be looked up at the gateways that their contracts name'],
  ['IPFS_GATEWAY', 'https://ipfs.io', 'where avatars on IPFS are shown from'],
  ['ARWEAVE_GATEWAY', 'https://arweave.net', 'where avatars on Arweave are shown from'],
  ['POAP_API_KEY', '', 'key of the POAP API; without one, badges are those that were imported'],
  ['POAP_API_URL', 'https://api.poap.tech', 'where the POAP API is'],
  ['BADGE_EVENTS', DEFAULT_BADGE_EVENTS.join(','), 'badge events to answer, in order, separated by commas'],
  ['BADGE_HELD_MAX_AGE_S', '86400', 'age at which a badge that is held is asked for again'],
  ['BADGE_NOT_HELD_MAX_AGE_S', '3600', 'age at which a badge that is not held is asked for again'],
  ['SOURCE_TIMEOUT_MS', '5000', 'how long a source of names or badges may take to answer'],
  ['SOURCE_DEADLINE_MS', '3000', 'how long an answer waits for such a source'],
  ['LOG_LEVEL', 'info', LOG_LEVELS.join(', ')],
];

const FALLBACKS = new Map(SETTINGS.map(([name, fallback]) => [name, fallback]));

type Environment = Readonly<Record<string, string | undefined>>;

export function readConfig(environment: Environment): Config {
  const get = (name: string) => environment[name]?.trim() || (FALLBACKS.get(name) ?? '');
  const deployment = deploymentOf(get('DEPLOYMENT'));
  const chains = chainsOf(deployment);
  const nodes = perChain(environment, 'RPC_URL', [...new Set([...chains, ENS_CHAIN])], rpcUrlsOf);
  const milliseconds = (name: string) => integer(name, get(name), 1, 99_999_999) * 1000;
  return {
    port: integer('PORT', get('PORT'), 0, 65_535),
    host: get('HOST'),
    workers: integer('WORKERS', get('WORKERS'), 1, 256),
    database: databaseOf(get('DATABASE_URL'), integer('DATABASE_POOL', get('DATABASE_POOL'), 1, 1000)),
    cacheBytes: integer('CACHE_MB', get('CACHE_MB'), 0, 65_536) * MEBIBYTE,
    deployment,
    sources: {
      names: nameSourceOf(get('ENSTATE_URL'), nodes),
      profileMaxAgeMs: milliseconds('PROFILE_MAX_AGE_S'),
      nameRequestsPerSecond: integer('NAME_REQUESTS_PER_SECOND', get('NAME_REQUESTS_PER_SECOND'), 0, 10_000),
      ccipRead: wordOf('CCIP_READ', get('CCIP_READ'), ['on', 'off']) === 'on',
      gateways: {
        ipfs: webUrlOf('IPFS_GATEWAY', get('IPFS_GATEWAY')),
        arweave: webUrlOf('ARWEAVE_GATEWAY', get('ARWEAVE_GATEWAY')),
      },
      badges: badgeSourceOf(get('POAP_API_KEY'), webUrlOf('POAP_API_URL', get('POAP_API_URL'))),
      badgeEvents: eventsOf(get('BADGE_EVENTS')),
      badgeHeldMs: milliseconds('BADGE_HELD_MAX_AGE_S'),
      badgeNotHeldMs: milliseconds('BADGE_NOT_HELD_MAX_AGE_S'),
      timeoutMs: integer('SOURCE_TIMEOUT_MS', get('SOURCE_TIMEOUT_MS'), 100, 600_000),
      deadlineMs: integer('SOURCE_DEADLINE_MS', get('SOURCE_DEADLINE_MS'), 100, 600_000),
    },
    logLevel: wordOf('LOG_LEVEL', get('LOG_LEVEL'), LOG_LEVELS),
    // A node of Ethereum can be there for names alone.
    rpcUrls: new Map([...nodes].filter(([chainId]) => chains.includes(chainId))),
    startBlocks: perChain(environment, 'START_BLOCK', chains, (name, text) => integer(name, text, 0, 999_999_999)),
    pollMs: integer('POLL_INTERVAL_MS', get('POLL_INTERVAL_MS'), 10, 3_600_000),
    ranksMs: integer('RANKS_INTERVAL_MS', get('RANKS_INTERVAL_MS'), 100, 86_400_000),
    rpcTimeoutMs: integer('RPC_TIMEOUT_MS', get('RPC_TIMEOUT_MS'), 100, 600_000),
  };
}

/** The settings `<prefix>_<chainId>`, which must name one of the chains. */
function perChain<T>(
  environment: Environment,
  prefix: string,
  chains: readonly number[],
  parse: (name: string, text: string) => T,
): Map<number, T> {
  const values = new Map<number, T>();
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith(`${prefix}_`) || text === undefined || text.trim() === '') continue;
    const suffix = name.slice(prefix.length + 1);
    const chainId = /^\d+$/.test(suffix) ? Number(suffix) : Number.NaN;
    if (!chains.includes(chainId)) {
      throw new ConfigError(`${name}: expected one of the chains ${chains.join(', ')}`);
    }
    values.set(chainId, parse(name, text.trim()));
  }
  return values;
}

/** Like all URLs, never repeated in an error: they carry keys. */
function rpcUrlsOf(name: string, text: string): string[] {
  const urls = text.split(',').map((url) => url.trim());
  const wrong = urls.findIndex((url) => !isWebUrl(url));
  if (wrong === -1) return urls;
  throw new ConfigError(`${name}: expected http or https URLs separated by commas, but number ${wrong + 1} is none`);
}

const ENS_CHAIN = 1;
/** Where ENS is tried out. */
const ENS_TEST_CHAIN = 11_155_111;

function nameSourceOf(enstateUrl: string, nodes: ReadonlyMap<number, readonly string[]>): NameSourceConfig {
  if (enstateUrl !== '') return { kind: 'enstate', url: webUrlOf('ENSTATE_URL', enstateUrl) };
  for (const chainId of [ENS_CHAIN, ENS_TEST_CHAIN]) {
    const urls = nodes.get(chainId);
    if (urls !== undefined) return { kind: 'chain', chainId, urls };
  }
  return { kind: 'none' };
}

function badgeSourceOf(key: string, url: string): BadgeSourceConfig {
  if (key === '') return { kind: 'none' };
  // A header cannot carry anything else, and the error of one that tries shows the key.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new ConfigError('POAP_API_KEY: expected printable characters without spaces');
  return { kind: 'poap', url, key };
}

/** Without a slash at its end. Never repeated in an error: it may hold a key. */
function webUrlOf(name: string, text: string): string {
  if (!isWebUrl(text)) throw new ConfigError(`${name}: expected an http or https URL`);
  return text.replace(/\/+$/, '');
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

/** The value is never repeated in an error: it may hold a password. */
function databaseOf(url: string, poolSize: number): DatabaseLocation {
  if (url.startsWith('sqlite:')) {
    const path = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
    if (path !== '' && path !== ':memory:') return { engine: 'sqlite', path };
  }
  if (/^postgres(ql)?:\/\/./.test(url) && URL.canParse(url)) return { engine: 'postgres', url, poolSize };
  throw new ConfigError('DATABASE_URL: expected sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE');
}

function integer(name: string, text: string, min: number, max: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new ConfigError(`${name}: expected a whole number from ${min} to ${max}, got ${JSON.stringify(text)}`);
}

function wordOf(name: string, text: string, words: readonly string[]): string {
  if (words.includes(text)) return text;
  throw new ConfigError(`${name}: expected one of ${words.join(', ')}, got ${JSON.stringify(text)}`);
}

function deploymentOf(nameOrFile: string): Deployment {
  const known = Object.values(deployments).find(({ name }) => name === nameOrFile);
  if (known !== undefined) return known;
  try {
    return parseDeployment(JSON.parse(readFileSync(nameOrFile, 'utf8')));
  } catch (error) {
    const names = Object.keys(deployments).join(', ');
    throw new ConfigError(
      `DEPLOYMENT: expected one of ${names}, or the path of a JSON file, got ${JSON.stringify(nameOrFile)}: ${(error as Error).message}`,
    );
  }
}

function eventsOf(text: string): string[] {
  const events = text.split(',').map((event) => event.trim());
  const wrong = events.find((event) => !/^(0|[1-9]\d{0,14})$/.test(event));
  if (wrong === undefined) return events;
  throw new ConfigError(`BADGE_EVENTS: expected numbers separated by commas, got ${JSON.stringify(wrong)}`);
}
