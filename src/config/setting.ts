import { OperatorError } from '../protocol/operator-error.ts';

/** A setting that cannot be used; the message names the variable. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError';
  readonly code = 'E_CONFIG';

  constructor(variable: string, message: string) {
    super(`${variable}: ${message}`);
  }
}

/** Converts the text of a variable, or throws a `ConfigError`. */
export type Parser<T> = (variable: string, text: string) => T;

/** One environment variable, or one per chain if its name ends in `<chainId>`. */
export interface Setting<T = unknown> {
  readonly name: string;
  /** In the form that an operator would write. Empty means not set. */
  readonly fallback: string;
  readonly description: string;
  readonly parse: Parser<T>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as not set. */
export function readSetting<T>({ name, fallback, parse }: Setting<T>, environment: Environment): T {
  return parse(name, environment[name]?.trim() || fallback);
}

/** Reads the variables of a setting that exists per chain. Each must name one of `chains`. */
export function readPerChain<T>(
  { name: pattern, parse }: Setting<T>,
  environment: Environment,
  chains: readonly number[],
): Map<number, T> {
  const prefix = pattern.replace('<chainId>', '');
  const values = new Map<number, T>();
  for (const [name, value = ''] of Object.entries(environment)) {
    const text = value.trim();
    if (!name.startsWith(prefix) || text === '') continue;
    const suffix = name.slice(prefix.length);
    const chainId = /^\d+$/.test(suffix) ? Number(suffix) : Number.NaN;
    if (!chains.includes(chainId)) throw new ConfigError(name, `expected one of the chains ${chains.join(', ')}`);
    values.set(chainId, parse(name, text));
  }
  return values;
}
