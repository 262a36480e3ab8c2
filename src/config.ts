import { DEFAULT_BADGE_EVENTS } from './badges/badge.ts';
import { type Deployment, deployments } from './protocol/deployments.ts';
import type { DatabaseLocation } from './store/open-store.ts';

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly database: DatabaseLocation;
  readonly cacheBytes: number;
  readonly deployment: Deployment;
  readonly badgeEvents: readonly string[];
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
  ['CACHE_MB', '64', 'memory for cached answers in MiB, 0 for no cache'],
  ['DEPLOYMENT', 'mainnet', `contracts to understand: ${Object.keys(deployments).join(' or ')}`],
  ['BADGE_EVENTS', DEFAULT_BADGE_EVENTS.join(','), 'badge events to answer, in order, separated by commas'],
  ['LOG_LEVEL', 'info', LOG_LEVELS.join(', ')],
];

const FALLBACKS = new Map(SETTINGS.map(([name, fallback]) => [name, fallback]));

export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const get = (name: string) => environment[name]?.trim() || (FALLBACKS.get(name) ?? '');
  return {
    port: integer('PORT', get('PORT'), 0, 65_535),
    host: get('HOST'),
    database: databaseOf(get('DATABASE_URL'), integer('DATABASE_POOL', get('DATABASE_POOL'), 1, 1000)),
    cacheBytes: integer('CACHE_MB', get('CACHE_MB'), 0, 65_536) * MEBIBYTE,
    deployment: deploymentOf(get('DEPLOYMENT')),
    badgeEvents: eventsOf(get('BADGE_EVENTS')),
    logLevel: wordOf('LOG_LEVEL', get('LOG_LEVEL'), LOG_LEVELS),
  };
}

/** The value is never repeated in an error: it may hold a password. */
function databaseOf(url: string, poolSize: number): DatabaseLocation {
  if (url.startsWith('sqlite:')) {
    const path = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
    if (path !== '') return { engine: 'sqlite', path };
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

function deploymentOf(name: string): Deployment {
  const deployment = Object.values(deployments).find((known) => known.name === name);
  if (deployment !== undefined) return deployment;
  throw new ConfigError(
    `DEPLOYMENT: expected one of ${Object.keys(deployments).join(', ')}, got ${JSON.stringify(name)}`,
  );
}

function eventsOf(text: string): string[] {
  const events = text.split(',').map((event) => event.trim());
  const wrong = events.find((event) => !/^\d{1,15}$/.test(event));
  if (wrong === undefined) return events;
  throw new ConfigError(`BADGE_EVENTS: expected numbers separated by commas, got ${JSON.stringify(wrong)}`);
}
