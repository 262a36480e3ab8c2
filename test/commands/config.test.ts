import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, SETTINGS } from '../../src/config.ts';
import { deployments } from '../../src/protocol/deployments.ts';

const DEFAULTS = {
  port: 3000,
  host: '127.0.0.1',
  database: { engine: 'sqlite', path: 'data/kith.db' },
  cacheBytes: 64 * 2 ** 20,
  deployment: deployments.mainnet,
  badgeEvents: ['177709', '178064', '178065', '178066', '183182'],
  logLevel: 'info',
  rpcUrls: new Map(),
  startBlocks: new Map(),
  pollMs: 2_000,
  ranksMs: 60_000,
  rpcTimeoutMs: 30_000,
};

describe('readConfig', () => {
  it('has a value for everything when nothing is set', () => {
    expect(readConfig({})).toMatchObject(DEFAULTS);
  });

  it('takes an empty setting, and one of spaces, for one that is not set', () => {
    const names = SETTINGS.map(([name]) => name);
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}));
    expect(readConfig(Object.fromEntries(names.map((name) => [name, '  '])))).toEqual(readConfig({}));
  });

  it('has the defaults that the settings are described with', () => {
    const given = Object.fromEntries(SETTINGS.map(([name, fallback]) => [name, fallback]));
    expect(readConfig(given)).toEqual(readConfig({}));
  });

  it.each([
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['PORT', ' 8080 ', { port: 8080 }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HOST', '::1', { host: '::1' }],
    ['CACHE_MB', '0', { cacheBytes: 0 }],
    ['CACHE_MB', '1', { cacheBytes: 2 ** 20 }],
    ['DEPLOYMENT', 'testnet', { deployment: deployments.testnet }],
    ['BADGE_EVENTS', '7', { badgeEvents: ['7'] }],
    ['BADGE_EVENTS', '9, 7,8', { badgeEvents: ['9', '7', '8'] }],
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
    ['CACHE_MB', '-1'],
    ['CACHE_MB', '65537'],
    ['CACHE_MB', '64MB'],
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
    ['LOG_LEVEL', 'INFO'],
    ['LOG_LEVEL', 'verbose'],
  ])('refuses %s=%s, and names both', (name, value) => {
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
  ])('refuses DATABASE_URL=%s without repeating it', (url) => {
    const read = () => readConfig({ DATABASE_URL: url });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/^DATABASE_URL: expected sqlite:PATH or postgres:\/\/USER:PASSWORD@HOST\/DATABASE$/);
  });

  it.each([
    'open-sesame',
    'ws://a.example/open-sesame',
    'https://a.example/open-sesame,',
    'https://a.example,open-sesame',
  ])('refuses RPC_URL_1=%s without repeating it', (urls) => {
    const read = () => readConfig({ RPC_URL_1: urls });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/^RPC_URL_1: expected http or https URLs(?!.*sesame)/);
  });

  it.each(['RPC_URL_137', 'RPC_URL_MAINNET', 'RPC_URL_', 'RPC_URL_0x1', 'START_BLOCK_137'])(
    'refuses %s, which names no chain of the deployment',
    (name) => {
      const read = () => readConfig({ [name]: name.startsWith('RPC') ? 'https://a.example' : '1' });
      expect(read).toThrow(ConfigError);
      expect(read).toThrow(new RegExp(`^${name}: the deployment is on the chains`));
    },
  );

  it('does not look at what it does not know', () => {
    expect(readConfig({ HOME: '/root', KITH: 'yes' })).toEqual(readConfig({}));
  });
});
