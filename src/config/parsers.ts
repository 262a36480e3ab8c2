import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { asObject, fail, parseWholeNumber } from '../errors/bad-input.ts';
import { type Contract, type Deployment, deployments, type Role } from '../protocol/deployments.ts';
import { type Address, parseAddress } from '../protocol/hex.ts';
import { isDownloadUrl } from '../remote/download.ts';
import { ConfigError, type Parser } from './setting.ts';

export const parseText: Parser<string> = (_variable, text) => text;

function reject(variable: string, expected: string, text: string): never {
  throw new ConfigError(variable, `expected ${expected}, got ${JSON.stringify(text)}`);
}

/** A whole number of `unit`s. */
export function parseInteger(min: number, max: number, unit = 1): Parser<number> {
  return (variable, text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    const isValid = number >= min && number <= max;
    return isValid ? number * unit : reject(variable, `a whole number from ${min} to ${max}`, text);
  };
}

export function parseWord<const W extends string>(words: readonly W[]): Parser<W> {
  return (variable, text) =>
    words.find((known) => known === text) ?? reject(variable, `one of ${words.join(', ')}`, text);
}

/** Returns the URL without a trailing slash. The message omits the value, which may contain a key. */
export const parseWebUrl: Parser<string> = (variable, text) => {
  if (!isWebUrl(text)) throw new ConfigError(variable, 'expected an http or https URL');
  requireDecodable(variable, text);
  return text.replace(/\/+$/, '');
};

/** Rejects a URL whose user name or password cannot be decoded. The message omits both. */
function requireDecodable(variable: string, text: string): void {
  const { username, password } = new URL(text);
  try {
    decodeURIComponent(`${username}:${password}`);
  } catch {
    throw new ConfigError(variable, 'expected a percent sign in a user name or password of a URL to be written as %25');
  }
}

/** Without a slash at its end. */
export const parseOrigin: Parser<string> = (variable, text) => {
  const { origin, href } = new URL(parseWebUrl(variable, text));
  return href === `${origin}/` ? origin : reject(variable, 'a URL without a path', text);
};

/** The message omits the value, which may contain a key. */
export const parseDownloadUrl: Parser<string> = (variable, text) => {
  if (!isDownloadUrl(text)) throw new ConfigError(variable, 'expected an https URL');
  requireDecodable(variable, text);
  return text;
};

/** The message omits the values, which may contain keys. */
export const parseWebUrls: Parser<readonly string[]> = (variable, text) => {
  const urls = text.split(',').map((url) => url.trim());
  const invalid = urls.findIndex((url) => !isWebUrl(url));
  const expected = 'expected http or https URLs separated by commas';
  if (invalid !== -1) throw new ConfigError(variable, `${expected}, but number ${invalid + 1} is not one`);
  for (const url of urls) requireDecodable(variable, url);
  return urls;
};

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

export const parseKey: Parser<string> = (variable, text) => {
  // Anything else is invalid in an HTTP header, and the error that fetch then throws contains the key.
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new ConfigError(variable, 'expected printable ASCII characters without spaces');
  return text;
};

export type DatabaseUrl =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

/** The message omits the value, which may contain a password. */
export const parseDatabaseUrl: Parser<DatabaseUrl> = (variable, url) => {
  if (url.startsWith('sqlite:')) {
    const path = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
    if (path !== '' && path !== ':memory:') return { engine: 'sqlite', path };
  }
  if (/^postgres(ql)?:\/\/./.test(url) && URL.canParse(url)) {
    requireDecodable(variable, url);
    return { engine: 'postgres', url };
  }
  throw new ConfigError(variable, 'expected sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE');
};

export const parseDeploymentName: Parser<Deployment> = (variable, nameOrFile) => {
  const known = Object.values(deployments).find(({ name }) => name === nameOrFile);
  if (known !== undefined) return known;
  try {
    return parseDeployment(JSON.parse(readFileSync(nameOrFile, 'utf8')));
  } catch (error) {
    const names = Object.keys(deployments).join(', ');
    const { message } = error as Error;
    throw new ConfigError(
      variable,
      `expected one of ${names}, or the path of a JSON file, got ${JSON.stringify(nameOrFile)}: ${message}`,
    );
  }
};

const ROLES: readonly Role[] = ['list-registry', 'account-metadata', 'list-records'];

/** Parses a custom deployment: `{ name?, contracts: [{ chainId, role, address }], startBlocks? }`. */
function parseDeployment(value: unknown): Deployment {
  const raw = asObject(value);
  const { contracts, name = 'custom', startBlocks = {} } = raw;
  if (!Array.isArray(contracts) || contracts.length === 0) return fail('contracts', 'an array of contracts', contracts);
  const blocks = Object.entries(asObject(startBlocks, 'startBlocks')).map(([chainId, block]): [string, number] => [
    chainId,
    parseWholeNumber(`startBlocks.${chainId}`, block, 'a whole number'),
  ]);
  return {
    name: String(name),
    contracts: contracts.map((contract, i) => parseContract(`contracts[${i}]`, asObject(contract, `contracts[${i}]`))),
    startBlocks: Object.fromEntries(blocks),
  };
}

function parseContract(field: string, raw: Record<string, unknown>): Contract {
  const role = ROLES.find((known) => known === raw.role);
  return {
    chainId: parseWholeNumber(`${field}.chainId`, raw.chainId, 'a whole number'),
    address: parseAddress(raw.address) ?? fail(`${field}.address`, 'an address', raw.address),
    role: role ?? fail(`${field}.role`, `one of ${ROLES.join(', ')}`, raw.role),
  };
}

/** `address` or `address@block`. */
export const parseListRecords: Parser<readonly { address: Address; startBlock: number | null }[]> = (variable, text) =>
  text.split(',').map((part) => {
    const [given = '', block, ...rest] = part.trim().split('@');
    const address = parseAddress(given);
    if (address === null || rest.length > 0)
      return reject(variable, 'ADDRESS or ADDRESS@BLOCK, separated by commas', part.trim());
    return { address, startBlock: block === undefined ? null : parseInteger(0, 999_999_999)(variable, block) };
  });

export const parseChainIds: Parser<readonly number[]> = (variable, text) => {
  if (text === 'none') return [];
  return text.split(',').map((chainId) => parseInteger(1, 999_999_999)(variable, chainId.trim()));
};

export const parseEventIds: Parser<readonly string[]> = (variable, text) => {
  const events = text.split(',').map((event) => event.trim());
  const invalid = events.find((event) => !/^(0|[1-9]\d{0,14})$/.test(event));
  return invalid === undefined ? events : reject(variable, 'numbers separated by commas', invalid);
};

/** `requests/seconds`, or null for `off`. */
export const parseRateLimit: Parser<{ requests: number; seconds: number } | null> = (variable, text) => {
  if (text === 'off') return null;
  const [, requests, seconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,4})$/.exec(text) ?? [];
  if (requests !== undefined && seconds !== undefined) return { requests: Number(requests), seconds: Number(seconds) };
  return reject(variable, 'off or REQUESTS/SECONDS, such as 600/60', text);
};

/** Names of well-known subnets that Fastify knows. */
const SUBNETS = ['loopback', 'linklocal', 'uniquelocal'];

/** Addresses and subnets. */
export const parseTrustProxy: Parser<string> = (variable, text) => {
  const proxies = text.split(',').map((proxy) => proxy.trim());
  const invalid = proxies.find((proxy) => !SUBNETS.includes(proxy) && !isSubnet(proxy));
  if (invalid === undefined) return proxies.join(',');
  return reject(variable, 'addresses or subnets separated by commas', invalid);
};

function isSubnet(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
