import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type Deployment, deployments } from '../protocol/deployments.ts';
import { isDownloadUrl } from '../remote/download.ts';
import { parseDeployment } from './parse-deployment.ts';
import { ConfigError, type Parser } from './setting.ts';

export const parseText: Parser<string> = (_variable, text) => text;

export function parseInteger(min: number, max: number): Parser<number> {
  return (variable, text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new ConfigError(variable, `expected a whole number from ${min} to ${max}, got ${JSON.stringify(text)}`);
  };
}

/** A number of seconds, returned in milliseconds. */
export function parseSeconds(min: number, max: number): Parser<number> {
  return (variable, text) => parseInteger(min, max)(variable, text) * 1000;
}

const MEBIBYTE = 2 ** 20;

/** A number of MiB, returned in bytes. */
export const parseMebibytes: Parser<number> = (variable, text) => parseInteger(0, 65_536)(variable, text) * MEBIBYTE;

export function parseWord<W extends string>(words: readonly W[]): Parser<W> {
  return (variable, text) => {
    const word = words.find((known) => known === text);
    if (word !== undefined) return word;
    throw new ConfigError(variable, `expected one of ${words.join(', ')}, got ${JSON.stringify(text)}`);
  };
}

/** Returns the URL without a trailing slash. The message omits the value, which may contain a key. */
export const parseWebUrl: Parser<string> = (variable, text) => {
  if (!isWebUrl(text)) throw new ConfigError(variable, 'expected an http or https URL');
  return text.replace(/\/+$/, '');
};

/** Without a slash at its end; null if not set. */
export const parseOptionalOrigin: Parser<string | null> = (variable, text) => {
  if (text === '') return null;
  const { origin, href } = new URL(parseWebUrl(variable, text));
  if (href === `${origin}/`) return origin;
  throw new ConfigError(variable, `expected a URL without a path, got ${JSON.stringify(text)}`);
};

/** Null if not set. The message omits the value, which may contain a key. */
export const parseDownloadUrl: Parser<string | null> = (variable, text) => {
  if (text === '' || isDownloadUrl(text)) return text || null;
  throw new ConfigError(variable, 'expected an https URL');
};

export function parseOptionalInteger(min: number, max: number): Parser<number | null> {
  return (variable, text) => (text === '' ? null : parseInteger(min, max)(variable, text));
}

/** The message omits the values, which may contain keys. */
export const parseWebUrls: Parser<readonly string[]> = (variable, text) => {
  const urls = text.split(',').map((url) => url.trim());
  const invalid = urls.findIndex((url) => !isWebUrl(url));
  if (invalid === -1) return urls;
  throw new ConfigError(
    variable,
    `expected http or https URLs separated by commas, but number ${invalid + 1} is not one`,
  );
};

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

export const parseOptionalKey: Parser<string | null> = (variable, text) => {
  if (text === '') return null;
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
  if (/^postgres(ql)?:\/\/./.test(url) && URL.canParse(url)) return { engine: 'postgres', url };
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

/** Null if not set. */
export const parseChainIds: Parser<readonly number[] | null> = (variable, text) => {
  if (text === '') return null;
  if (text === 'none') return [];
  return text.split(',').map((chainId) => parseInteger(1, 999_999_999)(variable, chainId.trim()));
};

export const parseEventIds: Parser<readonly string[]> = (variable, text) => {
  const events = text.split(',').map((event) => event.trim());
  const invalid = events.find((event) => !/^(0|[1-9]\d{0,14})$/.test(event));
  if (invalid === undefined) return events;
  throw new ConfigError(variable, `expected numbers separated by commas, got ${JSON.stringify(invalid)}`);
};

/** `requests/seconds`, or null for `off`. */
export const parseRateLimit: Parser<{ requests: number; seconds: number } | null> = (variable, text) => {
  if (text === 'off') return null;
  const [, requests, seconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,4})$/.exec(text) ?? [];
  if (requests !== undefined && seconds !== undefined) return { requests: Number(requests), seconds: Number(seconds) };
  throw new ConfigError(variable, `expected off or REQUESTS/SECONDS, such as 600/60, got ${JSON.stringify(text)}`);
};

/** Names of well-known subnets that Fastify knows. */
const SUBNETS = ['loopback', 'linklocal', 'uniquelocal'];

/** Addresses and subnets; false if it is empty. */
export const parseTrustProxy: Parser<string | false> = (variable, text) => {
  if (text === '') return false;
  const proxies = text.split(',').map((proxy) => proxy.trim());
  const invalid = proxies.find((proxy) => !SUBNETS.includes(proxy) && !isSubnet(proxy));
  if (invalid === undefined) return proxies.join(',');
  throw new ConfigError(variable, `expected addresses or subnets separated by commas, got ${JSON.stringify(invalid)}`);
};

function isSubnet(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
