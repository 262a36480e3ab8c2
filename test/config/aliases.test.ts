import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/setting.ts';
import { aliasesByVariable } from '../../src/config/settings.ts';

/** A valid value of each alias. */
const VALUES: Readonly<Record<string, string>> = {
  API_PORT: '3100',
  PRIMARY_RPC_BASE: 'https://base.example',
  SECONDARY_RPC_BASE: 'https://base-2.example',
  PRIMARY_RPC_OP: 'https://op.example',
  SECONDARY_RPC_OP: 'https://op-2.example',
  PRIMARY_RPC_ETH: 'https://eth.example',
  SECONDARY_RPC_ETH: 'https://eth-2.example',
  LEADERBOARD_RANKING_INTERVAL: '300000',
  POAP_API_TOKEN: 'token',
};
const PAIRS = [...aliasesByVariable()].flatMap(([variable, aliases]) => aliases.map((alias) => [alias, variable]));

describe('names of the services of EFP', () => {
  it.each(PAIRS)('reads %s like %s', (alias = '', variable = '') => {
    const value = VALUES[alias];
    expect(value).toBeDefined();
    expect(readConfig({ [alias]: value })).toEqual(readConfig({ [variable]: value }));
    expect(readConfig({ [alias]: value })).not.toEqual(readConfig({}));
  });

  it('makes a list for failover of the primary and the secondary node, whatever their order in the environment', () => {
    const { rpcUrls } = readConfig({
      SECONDARY_RPC_BASE: 'https://b.example',
      PRIMARY_RPC_BASE: ' https://a.example ',
    });
    expect(rpcUrls).toEqual(new Map([[8453, ['https://a.example', 'https://b.example']]]));
  });

  it.each(PAIRS)('accepts an empty %s beside %s', (alias = '', variable = '') => {
    const value = VALUES[alias];
    expect(readConfig({ [alias]: ' ', [variable]: value })).toEqual(readConfig({ [variable]: value }));
  });

  it('accepts both names of a setting if they agree', () => {
    const environment = {
      POAP_API_KEY: 'token',
      POAP_API_TOKEN: 'token',
      RPC_URL_10: 'https://a.example, https://b.example',
      PRIMARY_RPC_OP: 'https://a.example',
      SECONDARY_RPC_OP: 'https://b.example',
    };
    const { sources, rpcUrls } = readConfig(environment);
    expect(sources.badges).toMatchObject({ key: 'token' });
    expect(rpcUrls.get(10)).toEqual(['https://a.example', 'https://b.example']);
  });

  it.each([
    [{ POAP_API_KEY: 'sesame-1', POAP_API_TOKEN: 'sesame-2' }, 'POAP_API_KEY: differs from POAP_API_TOKEN'],
    [{ PORT: '3000', API_PORT: '3001' }, 'PORT: differs from API_PORT'],
    [
      { RPC_URL_1: 'https://a.example/sesame', PRIMARY_RPC_ETH: 'https://b.example/sesame' },
      'RPC_URL_1: differs from PRIMARY_RPC_ETH',
    ],
    [
      {
        RPC_URL_1: 'https://a.example',
        PRIMARY_RPC_ETH: 'https://a.example',
        SECONDARY_RPC_ETH: 'https://b.example/sesame',
      },
      'RPC_URL_1: differs from PRIMARY_RPC_ETH and SECONDARY_RPC_ETH',
    ],
  ])('rejects two names that differ, without showing the values: %o', (environment, message) => {
    const read = () => readConfig(environment);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${message}, which means the same setting; set one of them$`));
  });

  it.each([
    ['API_PORT', 'http', /^API_PORT: expected a whole number/],
    ['PRIMARY_RPC_ETH', 'sesame', /^PRIMARY_RPC_ETH: expected http or https URLs/],
    ['SECONDARY_RPC_BASE', 'sesame', /^SECONDARY_RPC_BASE: expected http or https URLs/],
    ['LEADERBOARD_RANKING_INTERVAL', '1', /^LEADERBOARD_RANKING_INTERVAL: expected a whole number/],
    ['POAP_API_TOKEN', 'open sesame', /^POAP_API_TOKEN: expected /],
  ])('names the variable %s that has an invalid value', (name, value, message) => {
    const environment = { PRIMARY_RPC_BASE: 'https://base.example', [name]: value };
    expect(() => readConfig(environment)).toThrow(message);
  });

  it('rejects a node of a chain that the deployment does not have', () => {
    const read = () => readConfig({ DEPLOYMENT: 'testnet', PRIMARY_RPC_BASE: 'https://base.example' });
    expect(read).toThrow(
      'PRIMARY_RPC_BASE: means RPC_URL_8453, expected one of the chains 84532, 11155420, 11155111, 1',
    );
  });
});
