import type { AccountParameter } from '../lookup/refs/account-ref.ts';
import { parseAccountParameter } from '../lookup/refs/resolve-account.ts';
import { normaliseTag } from '../protocol/tag.ts';
import { HttpProblem } from './problems.ts';

/** A request parameter: one definition gives the documentation, the parser and the error message. */
export interface Parameter<T> {
  readonly schema: { readonly description: string; readonly [keyword: string]: unknown };
  /** Completes the error message "<name> must be …". */
  readonly expected: string;
  /** Returns undefined if `text` is invalid. */
  parse(text: string): T | undefined;
  /** A parameter without a default is required. */
  readonly defaultValue?: () => T;
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

/** The number of entries on a page. Clients that want everything send large numbers, and read on from the next offset. */
export function limit(defaultValue: number): Parameter<number> {
  return {
    schema: {
      type: 'integer',
      minimum: 1,
      default: defaultValue,
      description: `Number of entries on the page. More than ${MAX_LIMIT} is read as ${MAX_LIMIT}.`,
    },
    expected: 'an integer from 1',
    parse: parseLimit,
    defaultValue: () => defaultValue,
  };
}

/** The same for a lookup that returns everything by default. */
export const limitOrAll: Parameter<number | null> = {
  schema: {
    type: 'integer',
    minimum: 1,
    description: `Number of entries; all by default. More than ${MAX_LIMIT} is read as ${MAX_LIMIT}.`,
  },
  expected: 'an integer from 1',
  parse: parseLimit,
  defaultValue: () => null,
};

function parseLimit(text: string): number | undefined {
  const isPositive = /^0*[1-9]\d*$/.test(text);
  return isPositive ? Math.min(Number(text), MAX_LIMIT) : undefined;
}

/** Unix seconds; the default is `now`. */
export function time(description: string, now: () => number): Parameter<number> {
  const max = 2 ** 40;
  return {
    schema: { type: 'integer', minimum: 0, maximum: max, description },
    expected: `a Unix time in seconds, an integer from 0 to ${max}`,
    parse: (text) => parseInteger(text, 0, max),
    defaultValue: now,
  };
}

export function parseInteger(text: string, min: number, max: number): number | undefined {
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

const parseTags = (value: string) => value.split(',').map(normaliseTag).filter(Boolean);

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
  isRepeatable: true,
};

const MAX_TOKEN_ID = 2n ** 256n - 1n;

export const list: Parameter<string> = {
  schema: { type: 'string', pattern: '^[0-9]+$', description: 'Token id of a list, decimal.', examples: ['3'] },
  expected: 'a token id, decimal digits below 2^256',
  parse: (value) => {
    const number = /^\d{1,100}$/.test(value) ? BigInt(value) : null;
    return number !== null && number <= MAX_TOKEN_ID ? number.toString() : undefined;
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
