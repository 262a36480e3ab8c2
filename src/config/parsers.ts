import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type Deployment, deployments } from '../protocol/deployments.ts';
import { isDownloadUrl } from '../remote/download.ts';
import { parseDeployment } from './parse-deployment.ts';
import { ConfigError, type Parser } from './setting.ts';

export const parseText: Parser<string> = (_variable, text) => text;

/** A whole number of `unit`s. */
export function parseInteger(min: number, max: number, unit = 1): Parser<number> {
  return (variable, text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number * unit;
    throw new ConfigError(variable, `expected a whole number from ${min} to ${max}, got ${JSON.stringify(text)}`);
  };
}

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

/** Without a slash at its end. */
export const parseOrigin: Parser<string> = (variable, text) => {
  const { origin, href } = new URL(parseWebUrl(variable, text));
  if (href === `${origin}/`) return origin;
  throw new ConfigError(variable, `expected a URL without a path, got ${JSON.stringify(text)}`);
};

/** The message omits the value, which may contain a key. */
export const parseDownloadUrl: Parser<string> = (variable, text) => {
  if (isDownloadUrl(text)) return text;
  throw new ConfigError(variable, 'expected an https URL');
};

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

export const parseChainIds: Parser<readonly number[]> = (variable, text) => {
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

/** Addresses and subnets. */
export const parseTrustProxy: Parser<string> = (variable, text) => {
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
