import { parseArgs } from 'node:util';

export interface Options {
  readonly parts: readonly string[];
  /** Size of the graph of the parts `pages` and `postgres`, in accounts. */
  readonly accounts: number;
  readonly postgresAccounts: number;
  /** Size of the graph of the other parts; pages are compared with it too. */
  readonly large: number;
  /** How long pages are measured; other comparisons take a fixed share of it. */
  readonly seconds: number;
}

export function parseOptions(all: readonly string[]): Options {
  const { values } = parseArgs({
    options: {
      parts: { type: 'string', default: all.join(',') },
      accounts: { type: 'string', default: '100000' },
      'postgres-accounts': { type: 'string', default: '10000' },
      large: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '120' },
    },
  });
  const parts = values.parts.split(',');
  const unknown = parts.find((part) => !all.includes(part));
  if (unknown !== undefined) throw new Error(`--parts: unknown part "${unknown}", expected ${all.join(', ')}`);
  const number = (name: Exclude<keyof typeof values, 'parts'>) => {
    const value = Number(values[name]);
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
    return value;
  };
  return {
    parts,
    accounts: number('accounts'),
    postgresAccounts: number('postgres-accounts'),
    large: number('large'),
    seconds: number('seconds'),
  };
}
