import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aliasesByVariable, SETTINGS } from '../../src/config/settings.ts';
import { editDistance, findMisspelt, requireKnown } from '../../src/config/unknown-settings.ts';

const variablesOf = (names: Iterable<string>) => Object.fromEntries([...names].map((name) => [name, '1']));
const KNOWN = [
  ...SETTINGS.map(({ name }) => name.replace('<chainId>', '8453')),
  ...[...aliasesByVariable().values()].flat(),
];

describe('the edit distance', () => {
  it.each([
    ['', '', 0],
    ['PORT', '', 4],
    ['PORT', 'PORT', 0],
    ['POTR', 'PORT', 2],
    ['PORTS', 'PORT', 1],
    ['kitten', 'sitting', 3],
  ])('of "%s" and "%s" is %d', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});

describe('a variable in .env', () => {
  it.each([
    ['POTR', 'PORT'],
    ['LOG_LEVELS', 'LOG_LEVEL'],
    ['RPC_ULR_8453', 'RPC_URL_<chainId>'],
    ['START_BLOK_10', 'START_BLOCK_<chainId>'],
    ['PRIMARY_RPC_BSE', 'PRIMARY_RPC_BASE'],
    ['database_url', 'DATABASE_URL'],
  ])('is rejected with the nearest setting if it is %s', (variable, nearest) => {
    expect(() => requireKnown('.env', { PORT: '1', [variable]: 'secret' })).toThrow(
      `.env: ${variable} is not a setting of Kith; the nearest one is ${nearest}`,
    );
  });

  it('is accepted if it is a setting, also by the name of EFP', () => {
    const variables = variablesOf(KNOWN);
    expect(requireKnown('.env', variables)).toBe(variables);
  });

  it('is accepted if compose.yaml, Compose or Node.js read it from the same file', () => {
    const compose = readFileSync(join(import.meta.dirname, '../../compose.yaml'), 'utf8');
    const read = [...compose.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
    expect(read).toContain('GRAFANA_PASSWORD');
    requireKnown('.env', variablesOf([...read, 'COMPOSE_PROFILES', 'NODE_OPTIONS']));
  });
});

describe('a variable of the environment', () => {
  it.each([
    ['LOG_LEVL', 'LOG_LEVEL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['RPC_ULR_8453', 'RPC_URL_<chainId>'],
    ['WORKER', 'WORKERS'],
  ])('is found to be misspelt if it is %s', (variable, setting) => {
    expect(findMisspelt({ PATH: '/bin', [variable]: '1' })).toEqual([{ variable, setting }]);
  });

  it('is not found to be misspelt if it is a setting or a common variable', () => {
    const common = [
      ...[
        'HOME',
        'HOSTNAME',
        'HOSTS',
        'PATH',
        'POST',
        'PWD',
        'SHELL',
        'SHLVL',
        'TERM',
        'USER',
        'LOGNAME',
        'LANG',
        'TZ',
      ],
      ...['npm_config_cache', 'npm_package_name', 'npm_lifecycle_event', 'NODE_ENV', 'NODE_OPTIONS', 'INIT_CWD'],
      ...['KUBERNETES_PORT', 'KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT', 'KITH_PORT', 'KITH_SERVICE_PORT'],
      ...['DATABASE_HOST', 'DATABASE_PORT', 'DATABASE_NAME', 'DATABASE_USER', 'APP_PORT', 'HTTP_PORT', 'DOCKER_HOST'],
      ...['CACHE_DIR', 'LOG_FILE', 'MAX_MEMORY', 'RATE', 'START_BLOCK', 'CHAIN_ID', 'REDIS_URL', 'RPC_URL'],
    ];
    expect(findMisspelt(variablesOf([...KNOWN, ...common]))).toEqual([]);
  });
});
