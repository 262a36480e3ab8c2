import { type AccountParameter, type ListRef, parseAccountParameter } from '../../lookup/refs/account-ref.ts';
import { type Address, type Hex, parseAddress } from '../../protocol/hex.ts';
import { normaliseTag } from '../../protocol/tag.ts';
import type { Source as StoredSource } from '../../store/versions.ts';
import { HttpProblem } from '../problems.ts';
import { TABLE_FORMATS, type TableFormat } from './negotiate.ts';

/** What an answer is made from. One that depends on the clock changes while the database does not. */
export type Source = StoredSource | 'clock';

/** A request parameter: one definition gives the documentation, the parser and the error message. */
export interface Parameter<T> {
  readonly schema: { readonly description: string; readonly [keyword: string]: unknown };
  /** Completes the error message "<name> must be …". */
  readonly expected: string;
  /** Returns undefined if `text` is invalid. */
  parse(text: string): T | undefined;
  /** A parameter without a default is required. */
  readonly defaultValue?: () => T;
  /** What an answer with this value depends on, besides what the route declares. */
  dependsOn?(value: T): Source | null;
  /** Whether it may be given several times, which is the same as once with all values, comma-separated. */
  readonly isRepeatable?: boolean;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
export type Values<P extends Parameters> = { [K in keyof P]: P[K] extends Parameter<infer T> ? T : never };

/** Limits how much of an invalid value the error message repeats. */
const MAX_SHOWN = 100;

/** Parses and validates `input`. Unknown parameters are ignored. */
export function readParameters<P extends Parameters>(
  parameters: P,
  input: Readonly<Record<string, unknown>>,
): Values<P> {
  const values: Record<string, unknown> = {};
  // Safe: `name` is a key of `parameters`.
  for (const name in parameters) values[name] = read(name, parameters[name] as Parameter<unknown>, input[name]);
  // Safe: each value was returned by the parser of its own parameter.
  return values as Values<P>;
}

/** Real clients send empty values for parameters that they do not use. */
export function isAbsent(input: unknown): boolean {
  return input === undefined || input === '';
}

function read(name: string, parameter: Parameter<unknown>, given: unknown): unknown {
  const input = parameter.isRepeatable && Array.isArray(given) ? given.join(',') : given;
  if (isAbsent(input) && parameter.defaultValue !== undefined) return parameter.defaultValue();
  const value = typeof input === 'string' ? parameter.parse(input) : undefined;
  if (value !== undefined) return value;
  const shown = Array.isArray(input) ? `${input.length} values` : JSON.stringify(input ?? '').slice(0, MAX_SHOWN);
  throw new HttpProblem('invalid-parameter', `${name} must be ${parameter.expected}, got ${shown}`);
}

export function integer(description: string, min: number, max: number, defaultValue: number): Parameter<number> {
  return {
    schema: { type: 'integer', minimum: min, maximum: max, default: defaultValue, description },
    expected: `an integer from ${min} to ${max}`,
    parse: (text) => parseInteger(text, min, max),
    defaultValue: () => defaultValue,
  };
}

export const MAX_LIMIT = 1000;

/** Clients that want everything send large numbers, and read on from the next offset. */
function limitOf<T>(description: string, defaultValue: T, schema: object = {}): Parameter<number | T> {
  return {
    schema: {
      ...{ type: 'integer', minimum: 1, ...schema },
      description: `${description} More than ${MAX_LIMIT} is read as ${MAX_LIMIT}.`,
    },
    expected: 'an integer from 1',
    parse: (text) => (/^0*[1-9]\d*$/.test(text) ? Math.min(Number(text), MAX_LIMIT) : undefined),
    defaultValue: () => defaultValue,
  };
}

export const limit = (defaultValue: number): Parameter<number> =>
  limitOf('Number of entries on the page.', defaultValue, { default: defaultValue });

/** For a lookup that returns everything by default. */
export const limitOrAll: Parameter<number | null> = limitOf('Number of entries; all by default.', null);

/** Unix seconds; null means now. */
export function time(description: string): Parameter<number | null> {
  const max = 2 ** 40;
  return {
    schema: { type: 'integer', minimum: 0, maximum: max, description },
    expected: `a Unix time in seconds, an integer from 0 to ${max}`,
    parse: (text) => parseInteger(text, 0, max),
    defaultValue: () => null,
    dependsOn: (value) => (value === null ? 'clock' : null),
  };
}

/** The last second of the year 9999. */
const MAX_DATE = 253_402_300_799;
const ISO_DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/;

/** A time as Unix seconds, given as these or as an ISO date; null if it is absent. */
export function date(description: string, dependsOn: Source | null = null): Parameter<number | null> {
  return {
    schema: {
      type: 'string',
      description: `${description} An ISO date like \`2025-11-19\`, in UTC, or Unix seconds.`,
    },
    expected: `a date like 2025-11-19 or 2025-11-19T10:13:12Z, or Unix seconds from 0 to ${MAX_DATE}`,
    parse: (text) => (/^\d+$/.test(text) ? parseInteger(text, 0, MAX_DATE) : parseDate(text)),
    defaultValue: () => null,
    dependsOn: (value) => (value === null ? dependsOn : null),
  };
}

function parseDate(text: string): number | undefined {
  const ms = ISO_DATE.test(text) ? Date.parse(text) : Number.NaN;
  // A day that its month does not have is read as one of the next month.
  const isDate = ms >= 0 && new Date(ms).toISOString().startsWith(text.slice(0, 'yyyy-mm-dd'.length));
  return isDate ? Math.floor(ms / 1000) : undefined;
}

function parseInteger(text: string, min: number, max: number): number | undefined {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : undefined;
}

/** Some clients send these for a word that they do not use. */
const ABSENT_WORDS = ['undefined', 'null'];

export function word<W extends string>(description: string, words: readonly W[], defaultValue: W): Parameter<W> {
  return {
    schema: { type: 'string', enum: words, default: defaultValue, description },
    expected: `one of ${words.join(', ')}`,
    parse: (text) => (ABSENT_WORDS.includes(text) ? defaultValue : findWord(words, text)),
    defaultValue: () => defaultValue,
  };
}

/** Published documentation and clients write words in capitals, too. */
function findWord<W extends string>(words: readonly W[], text: string): W | undefined {
  const lowerCase = text.toLowerCase();
  return words.find((known) => known === lowerCase);
}

/** A required word; several words may have one meaning. */
export function choice<M extends string>(
  description: string,
  meanings: Readonly<Record<string, M>>,
  example: string,
): Parameter<M> {
  const words = Object.keys(meanings);
  return {
    schema: { type: 'string', enum: words, description, examples: [example] },
    expected: `one of ${words.join(', ')}`,
    parse: (text) => meanings[findWord(words, text) ?? ''],
  };
}

/** PostgreSQL rejects NUL in text, and no stored text contains it. */
function withoutNul<T>(parse: (value: string) => T): (value: string) => T | undefined {
  return (value) => (value.includes('\0') ? undefined : parse(value));
}

export function text(description: string, example?: string): Parameter<string> {
  const examples = example === undefined ? {} : { examples: [example] };
  return {
    schema: { type: 'string', default: '', description, ...examples },
    expected: 'one string without NUL characters',
    parse: withoutNul((value) => value.trim()),
    defaultValue: () => '',
  };
}

export function tag(description: string): Parameter<string> {
  return { ...text(description), parse: withoutNul(normaliseTag) };
}

export function requiredTag(description: string, example: string): Parameter<string> {
  return {
    schema: { type: 'string', minLength: 1, description, examples: [example] },
    expected: 'one tag without NUL characters',
    parse: withoutNul((value) => normaliseTag(value) || undefined),
  };
}

/** In one order, because it has no meaning. */
const parseTags = (value: string) => [...new Set(value.split(',').map(normaliseTag).filter(Boolean))].sort();

export function tags(description: string): Parameter<string[]> {
  return {
    schema: { type: 'string', description },
    expected: 'one comma-separated list of tags without NUL characters',
    parse: withoutNul(parseTags),
    defaultValue: () => [],
  };
}

/** True for `fresh`; any other value is ignored. */
export const cache: Parameter<boolean> = {
  schema: {
    type: 'string',
    enum: ['fresh'],
    description:
      '`fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache.',
  },
  expected: 'one value',
  parse: (value) => value === 'fresh',
  defaultValue: () => false,
};

/** Null: the `Accept` header decides. */
export const format: Parameter<TableFormat | null> = {
  schema: {
    type: 'string',
    enum: TABLE_FORMATS,
    description:
      '`csv` and `ndjson` return the rows of the answer, all of them without `limit`, `offset` and `cursor`. By default, the `Accept` header decides.',
  },
  expected: `one of ${TABLE_FORMATS.join(', ')}`,
  parse: (text) => findWord(TABLE_FORMATS, text),
  defaultValue: () => null,
};

/** A block of a chain. */
export interface Block {
  readonly chain: number;
  readonly block: number;
}

/** The blocks that have to be indexed before the answer. */
export const after: Parameter<readonly Block[]> = {
  schema: {
    type: 'string',
    pattern: '^\\d+:\\d+(,\\d+:\\d+){0,2}$',
    description:
      'Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`.',
  },
  expected: 'one to three blocks, comma-separated, each like 8453:20180411',
  parse(text) {
    if (!/^\d{1,15}:\d{1,15}(?:,\d{1,15}:\d{1,15}){0,2}$/.test(text)) return undefined;
    return text.split(',').map((pair) => {
      const [chain, block] = pair.split(':').map(Number);
      // Safe: the pattern has both.
      return { chain: chain as number, block: block as number };
    });
  },
  defaultValue: () => [],
};

/** Whether `ens` is one of the comma-separated words; others are ignored. */
export const includeEns: Parameter<boolean> = {
  schema: {
    type: 'string',
    description:
      '`ens` adds the profile of its account to each entry. Comma-separated, or given several times; other words are ignored.',
  },
  expected: 'a comma-separated list',
  parse: (value) => value.split(',').some((included) => included.trim() === 'ens'),
  defaultValue: () => false,
  dependsOn: (value) => (value ? 'profiles' : null),
  isRepeatable: true,
};

const MAX_TOKEN_ID = 2n ** 256n - 1n;

export const tokenId: Parameter<string> = {
  schema: { type: 'string', pattern: '^[0-9]+$', description: 'Token id of a list, decimal.', examples: ['3'] },
  expected: 'a token id, decimal digits below 2^256',
  parse: (value) => {
    const number = /^\d{1,100}$/.test(value) ? BigInt(value) : null;
    return number !== null && number <= MAX_TOKEN_ID ? number.toString() : undefined;
  },
};

/** The list that a lookup is about. */
export const list: Parameter<ListRef> = {
  ...{ schema: tokenId.schema, expected: tokenId.expected },
  parse(value) {
    const parsed = tokenId.parse(value);
    return parsed === undefined ? undefined : { kind: 'list', list: parsed };
  },
};

/** Null if it is absent. */
export function optional<T>(parameter: Parameter<T>): Parameter<T | null> {
  return { ...parameter, defaultValue: () => null };
}

export function account(description: string, example: string): Parameter<AccountParameter> {
  return {
    schema: {
      type: 'string',
      description: `${description}: an address in any letter case, or an ENS name.`,
      examples: [example],
    },
    expected: 'an address (0x and 40 hex digits) or an ENS name (with a dot, valid under ENSIP-15)',
    parse: (value) => parseAccountParameter(value) ?? undefined,
  };
}

/** Accounts that are resolved as those in a body are; see `Route.entriesIn`. */
export function accounts(max: number, example: readonly string[]): Parameter<readonly string[]> {
  return {
    schema: {
      type: 'string',
      description: `Addresses or ENS names, comma-separated or given several times; ${max} at most.`,
      examples: [example.join(',')],
    },
    expected: `1 to ${max} addresses or names, comma-separated`,
    parse(value) {
      const texts = value.split(',').map((text) => text.trim());
      return value !== '' && texts.length <= max ? texts : undefined;
    },
    isRepeatable: true,
  };
}

export const chainId: Parameter<number> = {
  schema: { type: 'integer', minimum: 0, description: 'Number of a chain.', examples: [8453] },
  expected: 'the number of a chain, decimal',
  parse: (value) => parseInteger(value, 0, Number.MAX_SAFE_INTEGER),
};

export const contract: Parameter<Address> = {
  schema: {
    type: 'string',
    description: 'Address of a list records contract, in any letter case.',
    examples: ['0x41aa48ef3c0446b46a5b1cc6337ff3d3716e2a33'],
  },
  expected: 'an address (0x and 40 hex digits)',
  parse: (value) => parseAddress(value) ?? undefined,
};

/** As 32 bytes. */
export const slot: Parameter<Hex> = {
  schema: {
    type: 'string',
    pattern: '^0x[0-9a-fA-F]{1,64}$',
    description: 'Number of a storage slot, hexadecimal.',
    examples: ['0x1e94223b46b99944d84b37a0f62a3e66638c21b78429b9d59d9f67bd6d736d06'],
  },
  expected: 'a slot, 0x and 1 to 64 hex digits',
  parse: (value) =>
    /^0x[0-9a-f]{1,64}$/i.test(value) ? `0x${value.slice(2).toLowerCase().padStart(64, '0')}` : undefined,
};
