import { ProblemError } from '../lookup/problem.ts';
import { type AccountReference, parseAccountReference } from '../lookup/resolve-account.ts';
import { normaliseTag } from '../protocol/tag.ts';

/** One parameter of a request: how it is documented and how it is read, in one place. */
export interface Parameter<T> {
  readonly schema: { readonly description: string; readonly [keyword: string]: unknown };
  /** What it takes, for the person who sent something else. */
  readonly takes: string;
  /** Undefined when `text` is not what it takes. */
  parse(text: string): T | undefined;
  /** What holds when it is not given; a parameter without it is required. */
  readonly absent?: () => T;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
export type Values<P extends Parameters> = { [K in keyof P]: P[K] extends Parameter<infer T> ? T : never };

const MAX_SHOWN = 100;

export function readParameters<P extends Parameters>(
  parameters: P,
  given: Readonly<Record<string, unknown>>,
): Values<P> {
  const values: Record<string, unknown> = {};
  // Safe: a name of `parameters` has a parameter.
  for (const name in parameters) values[name] = read(name, parameters[name] as Parameter<unknown>, given[name]);
  // Safe: every name of `parameters` got the value that its own parser returns.
  return values as Values<P>;
}

function read(name: string, parameter: Parameter<unknown>, given: unknown): unknown {
  if (given === undefined && parameter.absent !== undefined) return parameter.absent();
  const value = typeof given === 'string' ? parameter.parse(given) : undefined;
  if (value !== undefined) return value;
  const got = Array.isArray(given) ? `it ${given.length} times` : JSON.stringify(given ?? '').slice(0, MAX_SHOWN);
  throw new ProblemError('invalid-parameter', `${name}: got ${got}, but it takes ${parameter.takes}`);
}

export function integer(description: string, min: number, max: number, absent: number): Parameter<number> {
  return {
    schema: { type: 'integer', minimum: min, maximum: max, default: absent, description },
    takes: `a whole number from ${min} to ${max}`,
    parse: (text) => parseInteger(text, min, max),
    absent: () => absent,
  };
}

/** Unix seconds; `now` when it is not given. */
export function time(description: string, now: () => number): Parameter<number> {
  const max = 2 ** 40;
  return {
    schema: { type: 'integer', minimum: 0, maximum: max, description },
    takes: `a Unix time in seconds, a whole number from 0 to ${max}`,
    parse: (text) => parseInteger(text, 0, max),
    absent: now,
  };
}

function parseInteger(text: string, min: number, max: number): number | undefined {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : undefined;
}

export function word<W extends string>(description: string, words: readonly W[], absent: W): Parameter<W> {
  return {
    schema: { type: 'string', enum: words, default: absent, description },
    takes: `one of ${words.join(', ')}`,
    parse: (text) => words.find((known) => known === text),
    absent: () => absent,
  };
}

export function text(description: string): Parameter<string> {
  return {
    schema: { type: 'string', default: '', description },
    takes: 'a text without NUL characters, given once',
    // NUL can be in no stored text, and not every engine takes it.
    parse: (value) => (value.includes('\0') ? undefined : value.trim()),
    absent: () => '',
  };
}

export function tag(description: string): Parameter<string> {
  return { ...text(description), parse: (value) => (value.includes('\0') ? undefined : normaliseTag(value)) };
}

export function tags(description: string): Parameter<string[]> {
  return {
    schema: { type: 'string', description },
    takes: 'tags separated by commas, without NUL characters, given once',
    parse: (value) =>
      value.includes('\0')
        ? undefined
        : value
            .split(',')
            .map(normaliseTag)
            .filter((name) => name !== ''),
    absent: () => [],
  };
}

/** True for `fresh`; any other word has no effect. */
export const cache: Parameter<boolean> = {
  schema: {
    type: 'string',
    description: '`fresh` skips the cache and renews what it holds; anything else has no effect.',
  },
  takes: 'a word, given once',
  parse: (value) => value === 'fresh',
  absent: () => false,
};

const LISTS = 2n ** 256n;

export const list: Parameter<string> = {
  schema: { type: 'string', description: 'Number of a list.' },
  takes: 'the number of a list, decimal digits below 2^256',
  parse: (value) => {
    const number = /^\d{1,100}$/.test(value) ? BigInt(value) : LISTS;
    return number < LISTS ? number.toString() : undefined;
  },
};

export const account: Parameter<AccountReference> = {
  schema: { type: 'string', description: 'Address in any letter case, or name.' },
  takes: 'an address (0x and 40 hex digits) or a name with a dot that can be normalised (ENSIP-15)',
  parse: (value) => parseAccountReference(value) ?? undefined,
};
