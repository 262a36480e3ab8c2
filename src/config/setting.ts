import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '../errors/operator-error.ts';

/** A setting that cannot be used; the message names the variable. */
export class ConfigError extends OperatorError {
  readonly code = 'E_CONFIG';

  constructor(variable: string, message: string) {
    super(`${variable}: ${message}`);
  }
}

/** Converts the text of a variable, or throws a `ConfigError`. */
export type Parser<T> = (variable: string, text: string) => T;

/** A name that EFP's own services have for the same setting. */
interface Alias {
  readonly name: string;
  /** Of a setting that exists per chain. Several aliases of a chain form a list, in the order of declaration. */
  readonly chainId?: number;
}

/** What is declared of a setting. */
export interface Declaration<T = unknown> {
  /** In the form that an operator would write. Without one, a setting that is not set is null. */
  readonly fallback?: string;
  readonly description: string;
  readonly parse: Parser<T>;
  readonly aliases?: readonly Alias[];
}

/** One environment variable, or one per chain if its name ends in `<chainId>`. */
export interface Setting extends Declaration {
  readonly name: string;
  /** Empty if there is none. */
  readonly fallback: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as not set. Returns null if there is no fallback either. */
export function readSetting<T>(
  name: string,
  { fallback, parse, aliases = [] }: Declaration<T>,
  environment: Environment,
): T | null {
  const given = [name, ...aliases.map((alias) => alias.name)]
    .map((variable) => ({ variable, text: textOf(environment, variable) }))
    .filter(({ text }) => text !== '')
    .map(({ variable, text }) => ({ variable, value: parse(variable, text) }));
  const [first, ...others] = given;
  if (first === undefined) return fallback === undefined ? null : parse(name, fallback);
  for (const other of others) requireSame(first, other);
  return first.value;
}

/** Reads the variables of a setting that exists per chain. Each must name one of `chains`, or any chain if it is null. */
export function readPerChain<T>(
  pattern: `${string}<chainId>`,
  { parse, aliases = [] }: Declaration<T>,
  environment: Environment,
  chains: readonly number[] | null,
): ReadonlyMap<number, T> {
  const prefix = pattern.replace('<chainId>', '');
  const read = (variable: string, chainId: number, text: string): T => {
    const isKnown = chains === null ? Number.isSafeInteger(chainId) && chainId > 0 : chains.includes(chainId);
    if (isKnown) return parse(variable, text);
    const meaning = variable.startsWith(prefix) ? '' : `means ${prefix}${chainId}, `;
    const expected = chains === null ? 'a number of a chain' : `one of the chains ${chains.join(', ')}`;
    const hint = chains === null || Number.isNaN(chainId) ? '' : `; LIST_RECORDS_${chainId} adds a chain`;
    throw new ConfigError(variable, `${meaning}expected ${expected}${hint}`);
  };
  const values = new Map<number, T>();
  for (const variable of Object.keys(environment)) {
    const text = textOf(environment, variable);
    if (!variable.startsWith(prefix) || text === '') continue;
    const suffix = variable.slice(prefix.length);
    const chainId = /^\d+$/.test(suffix) ? Number(suffix) : Number.NaN;
    values.set(chainId, read(variable, chainId, text));
  }
  for (const [chainId, ofChain] of Map.groupBy(aliases, (alias) => alias.chainId ?? Number.NaN)) {
    const given = ofChain.map((alias) => alias.name).filter((variable) => textOf(environment, variable) !== '');
    if (given.length === 0) continue;
    // Each alone first, so that an error names the variable with the invalid text.
    for (const variable of given) read(variable, chainId, textOf(environment, variable));
    const text = given.map((variable) => textOf(environment, variable)).join(',');
    const variable = given.join(' and ');
    const value = read(variable, chainId, text);
    const own = values.get(chainId);
    if (own !== undefined) requireSame({ variable: `${prefix}${chainId}`, value: own }, { variable, value });
    values.set(chainId, value);
  }
  return values;
}

function textOf(environment: Environment, variable: string): string {
  return environment[variable]?.trim() ?? '';
}

type Given = Readonly<{ variable: string; value: unknown }>;

/** The message omits the values, which may contain keys. */
function requireSame(first: Given, other: Given): void {
  if (isDeepStrictEqual(first.value, other.value)) return;
  throw new ConfigError(
    first.variable,
    `differs from ${other.variable}, which means the same setting; set one of them`,
  );
}
