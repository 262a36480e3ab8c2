import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/setting.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { deployments } from '../../src/protocol/deployments.ts';

const DEFAULTS = {
  port: 3000,
  host: '127.0.0.1',
  workers: 1,
  database: { engine: 'sqlite', path: 'data/kith.db' },
  cacheBytes: 32 * 2 ** 20,
  spoolBytes: 2 ** 30,
  deployment: deployments.mainnet,
  sources: {
    names: { kind: 'none' },
    profileMaxAgeMs: 86_400_000,
    nameRequestsPerSecond: 20,
    ccipRead: true,
    gateways: { ipfs: 'https://ipfs.io', arweave: 'https://arweave.net', network: 'mainnet' },
    badges: { kind: 'none' },
    badgeEvents: ['177709', '178064', '178065', '178066', '183182'],
    badgeHeldMs: 86_400_000,
    badgeNotHeldMs: 3_600_000,
    timeoutMs: 5_000,
    deadlineMs: 3_000,
  },
  logLevel: 'info',
  rpcUrls: new Map(),
  startBlocks: new Map(),
  pollMs: 2_000,
  ranksMs: 60_000,
  rpcTimeoutMs: 30_000,
  finalityDepths: new Map(),
  bloomChecks: new Map(),
  comparesNodes: false,
};

describe('readConfig', () => {
  it('has a default for every setting', () => {
    expect(readConfig({})).toMatchObject(DEFAULTS);
  });

  it('treats an empty or blank variable as not set', () => {
    const names = SETTINGS.map(({ name }) => name);
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}));
    expect(readConfig(Object.fromEntries(names.map((name) => [name, '  '])))).toEqual(readConfig({}));
  });

  it('has the documented defaults', () => {
    const given = Object.fromEntries(SETTINGS.map(({ name, fallback }) => [name, fallback]));
    expect(readConfig(given)).toEqual(readConfig({}));
  });

  it.each([
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['PORT', ' 8080 ', { port: 8080 }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HOST', '::1', { host: '::1' }],
    ['WORKERS', '4', { workers: 4 }],
    ['CACHE_MB', '0', { cacheBytes: 0 }],
    ['CACHE_MB', '1', { cacheBytes: 2 ** 20 }],
    ['SPOOL_MB', '1', { spoolBytes: 2 ** 20 }],
    ['RATE_LIMIT', '600/60', { limits: { rateLimit: { requests: 600, seconds: 60 } } }],
    ['FRESH_RATE_LIMIT', 'off', { limits: { freshRateLimit: null } }],
    [
      'TRUST_PROXY',
      '127.0.0.1, 10.0.0.0/8,::1,uniquelocal',
      { limits: { trustProxy: '127.0.0.1,10.0.0.0/8,::1,uniquelocal' } },
    ],
    ['DEPLOYMENT', 'testnet', { deployment: deployments.testnet }],
    ['PUBLIC_URL', '', { publicUrl: null }],
    ['PUBLIC_URL', 'https://kith.example/', { publicUrl: 'https://kith.example' }],
    ['PROFILE_URL', '', { profileUrl: 'https://efp.app' }],
    ['PROFILE_URL', 'https://profiles.example/of/', { profileUrl: 'https://profiles.example/of' }],
    ['BADGE_EVENTS', '7', { sources: { badgeEvents: ['7'] } }],
    ['BADGE_EVENTS', '9, 7,8', { sources: { badgeEvents: ['9', '7', '8'] } }],
    ['PROFILE_MAX_AGE_S', '60', { sources: { profileMaxAgeMs: 60_000 } }],
    ['NAME_REQUESTS_PER_SECOND', '0', { sources: { nameRequestsPerSecond: 0 } }],
    ['CCIP_READ', 'off', { sources: { ccipRead: false } }],
    ['IPFS_GATEWAY', 'http://127.0.0.1:8080/', { sources: { gateways: { ipfs: 'http://127.0.0.1:8080' } } }],
    ['ARWEAVE_GATEWAY', 'https://a.example', { sources: { gateways: { arweave: 'https://a.example' } } }],
    ['POAP_API_KEY', 'k', { sources: { badges: { kind: 'poap', url: 'https://api.poap.tech', key: 'k' } } }],
    ['BADGE_HELD_MAX_AGE_S', '1', { sources: { badgeHeldMs: 1_000 } }],
    ['BADGE_NOT_HELD_MAX_AGE_S', '2', { sources: { badgeNotHeldMs: 2_000 } }],
    ['SOURCE_TIMEOUT_MS', '100', { sources: { timeoutMs: 100 } }],
    ['SOURCE_REQUESTS_PER_SECOND', '5', { sources: { requestsPerSecond: 5 } }],
    ['SOURCE_DEADLINE_MS', '100', { sources: { deadlineMs: 100 } }],
    ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['POLL_INTERVAL_MS', '10', { pollMs: 10 }],
    ['RANKS_INTERVAL_MS', '100', { ranksMs: 100 }],
    ['RPC_TIMEOUT_MS', '100', { rpcTimeoutMs: 100 }],
    ['RPC_URL_1', 'https://a.example/key', { rpcUrls: new Map([[1, ['https://a.example/key']]]) }],
    [
      'RPC_URL_10',
      'http://a.example , https://b.example',
      { rpcUrls: new Map([[10, ['http://a.example', 'https://b.example']]]) },
    ],
    ['RPC_URL_8453', '', { rpcUrls: new Map() }],
    ['START_BLOCK_8453', '0', { startBlocks: new Map([[8453, 0]]) }],
    ['FINALITY_DEPTH_10', '0', { finalityDepths: new Map([[10, 0]]) }],
    ['BLOOM_CHECK_10', 'off', { bloomChecks: new Map([[10, 'off']]) }],
    ['COMPARE_NODES', 'on', { comparesNodes: true }],
    ['DATABASE_URL', 'sqlite:kith.db', { database: { engine: 'sqlite', path: 'kith.db' } }],
    ['DATABASE_URL', 'sqlite:../a b/kith.db', { database: { engine: 'sqlite', path: '../a b/kith.db' } }],
    ['DATABASE_URL', 'sqlite:/var/kith.db', { database: { engine: 'sqlite', path: '/var/kith.db' } }],
    ['DATABASE_URL', 'sqlite:///var/kith.db', { database: { engine: 'sqlite', path: '/var/kith.db' } }],
  ])('reads %s=%s', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected);
  });

  it.each(['postgres://kith@localhost/kith', 'postgresql://kith:a%40b@10.0.0.1:5433/kith?sslmode=require'])(
    'reads DATABASE_URL=%s with the size of the pool',
    (url) => {
      expect(readConfig({ DATABASE_URL: url }).database).toEqual({ engine: 'postgres', url, poolSize: 10 });
      const { database } = readConfig({ DATABASE_URL: url, DATABASE_POOL: '3' });
      expect(database).toEqual({ engine: 'postgres', url, poolSize: 3 });
    },
  );

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', '1e3'],
    ['PORT', 'http'],
    ['DATABASE_POOL', '0'],
    ['DATABASE_POOL', '1001'],
    ['WORKERS', '0'],
    ['CACHE_MB', '-1'],
    ['CACHE_MB', '65537'],
    ['CACHE_MB', '64MB'],
    ['RATE_LIMIT', '600'],
    ['RATE_LIMIT', '0/60'],
    ['FRESH_RATE_LIMIT', '30/0'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['MAX_CONNECTIONS', '0'],
    ['DEPLOYMENT', 'Mainnet'],
    ['DEPLOYMENT', 'constructor'],
    ['POLL_INTERVAL_MS', '9'],
    ['RANKS_INTERVAL_MS', '99'],
    ['RPC_TIMEOUT_MS', 'soon'],
    ['START_BLOCK_1', '-1'],
    ['START_BLOCK_1', 'latest'],
    ['BADGE_EVENTS', ','],
    ['BADGE_EVENTS', '177709,'],
    ['BADGE_EVENTS', '177709;178064'],
    ['BADGE_EVENTS', '-1'],
    ['BADGE_EVENTS', '0177709'],
    ['PUBLIC_URL', 'https://kith.example/path'],
    ['PROFILE_MAX_AGE_S', '0'],
    ['NAME_REQUESTS_PER_SECOND', '-1'],
    ['CCIP_READ', 'yes'],
    ['BADGE_HELD_MAX_AGE_S', 'day'],
    ['BADGE_NOT_HELD_MAX_AGE_S', '1.5'],
    ['SOURCE_TIMEOUT_MS', '99'],
    ['SOURCE_DEADLINE_MS', 'soon'],
    ['LOG_LEVEL', 'INFO'],
    ['LOG_LEVEL', 'verbose'],
  ])('rejects %s=%s with an error that names both', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name}: expected .+, got "`));
  });

  it.each([
    'sqlite:',
    'sqlite',
    'kith.db',
    'mysql://kith:open-sesame@localhost/kith',
    'postgres:kith',
    'postgres://',
    'postgres://kith:open-sesame@localhost:port/kith',
    'POSTGRES//open-sesame',
  ])('rejects DATABASE_URL=%s without showing the value', (url) => {
    const read = () => readConfig({ DATABASE_URL: url });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/^DATABASE_URL: expected sqlite:PATH or postgres:\/\/USER:PASSWORD@HOST\/DATABASE$/);
  });

  it.each([
    'open-sesame',
    'ws://a.example/open-sesame',
    'https://a.example/open-sesame,',
    'https://a.example,open-sesame',
  ])('rejects RPC_URL_1=%s without showing the value', (urls) => {
    const read = () => readConfig({ RPC_URL_1: urls });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/^RPC_URL_1: expected http or https URLs(?!.*sesame)/);
  });

  it.each([
    ['RPC_URL_1', 'https://kith:open-sesame%@a.example'],
    ['RPC_URL_1', 'https://b.example,https://open-sesame%zz@a.example'],
    ['POAP_API_URL', 'https://kith:open-sesame%@a.example'],
    ['SNAPSHOT_URL', 'https://kith:open-sesame%@a.example/logs.ndjson'],
    ['DATABASE_URL', 'postgres://kith:open-sesame%@localhost/kith'],
  ])('rejects %s=%s, whose credentials cannot be decoded, without showing them', (name, url) => {
    const read = () => readConfig({ [name]: url });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name}: expected a percent sign(?!.*sesame)`));
  });

  it.each(['IPFS_GATEWAY', 'ARWEAVE_GATEWAY', 'POAP_API_URL'])(
    'rejects a %s that is not an http URL, without showing the value',
    (name) => {
      const read = () => readConfig({ [name]: 'ftp://a.example/open-sesame' });
      expect(read).toThrow(ConfigError);
      expect(read).toThrow(new RegExp(`^${name}: expected an http or https URL(?!.*sesame)`));
    },
  );

  it.each(['open sesame', 'open\nsesame', 'öpen-sesame'])(
    'rejects the key %j, which is invalid in a header, without showing it',
    (key) => {
      const read = () => readConfig({ POAP_API_KEY: key });
      expect(read).toThrow(ConfigError);
      expect(read).toThrow(/^POAP_API_KEY: expected (?!.*sesame)/s);
    },
  );

  it('reads ENS from RPC_URL_1', () => {
    const node = { RPC_URL_1: 'https://a.example/key' };
    const chain = { kind: 'chain', chainId: 1, urls: ['https://a.example/key'] };
    expect(readConfig(node).sources.names).toEqual(chain);
    expect(readConfig({ RPC_URL_10: 'https://a.example' }).sources.names).toEqual({ kind: 'none' });
  });

  it('uses RPC_URL_1 for ENS alone if the deployment has no contracts on Ethereum', () => {
    const { rpcUrls, sources } = readConfig({ DEPLOYMENT: 'testnet', RPC_URL_1: 'https://a.example' });
    expect(sources.names).toEqual({ kind: 'chain', chainId: 1, urls: ['https://a.example'] });
    expect([...rpcUrls]).toEqual([]);
  });

  it('divides SOURCE_REQUESTS_PER_SECOND among the WORKERS', () => {
    const { sources } = readConfig({ SOURCE_REQUESTS_PER_SECOND: '20', WORKERS: '8' });
    expect(sources.requestsPerSecond).toBe(2.5);
  });

  it('reads ENS from Sepolia if the deployment is there', () => {
    const { sources } = readConfig({ DEPLOYMENT: 'testnet', RPC_URL_11155111: 'https://a.example' });
    expect(sources.names).toEqual({ kind: 'chain', chainId: 11_155_111, urls: ['https://a.example'] });
    expect(sources.gateways.network).toBe('sepolia');
  });

  it.each(['RPC_URL_137', 'RPC_URL_MAINNET', 'RPC_URL_', 'RPC_URL_0x1', 'START_BLOCK_137'])(
    'rejects %s, which names no chain of the deployment',
    (name) => {
      const read = () => readConfig({ [name]: name.startsWith('RPC') ? 'https://a.example' : '1' });
      expect(read).toThrow(ConfigError);
      expect(read).toThrow(
        new RegExp(`^${name}: expected one of the chains 8453, 10, 1(; LIST_RECORDS_137 adds a chain)?$`),
      );
    },
  );

  it('ignores unknown variables', () => {
    expect(readConfig({ HOME: '/root', KITH: 'yes' })).toEqual(readConfig({}));
  });
});
