import { parseArgs } from 'node:util';

export interface Options {
  readonly isQuick: boolean;
  readonly parts: readonly string[];
  /** Graph sizes in accounts for the lookups. */
  readonly sizes: readonly number[];
  /** Graph size at which the throughput bars apply. */
  readonly barsAt: number;
  /** Small graph size that the large one is compared with. */
  readonly flatFrom: number;
  readonly large: number;
  readonly postgresAccounts: number;
  /** A database that has a graph of that size already; empty to load one. */
  readonly postgresUrl: string;
  /** Substring of the names of the requests to measure. */
  readonly only: string;
  readonly rounds: number;
  readonly ms: number;
}

const [SMALL, MEDIUM, LARGE] = [10_000, 100_000, 1_000_000];

export function parseOptions(all: readonly string[]): Options {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      parts: { type: 'string' },
      sizes: { type: 'string' },
      'bars-at': { type: 'string' },
      'flat-from': { type: 'string' },
      large: { type: 'string' },
      'postgres-accounts': { type: 'string' },
      'postgres-url': { type: 'string', default: '' },
      only: { type: 'string', default: '' },
      rounds: { type: 'string' },
      ms: { type: 'string' },
    },
  });
  const { quick, only } = values;
  // A quick run must not generate the largest graph.
  const parts = (values.parts ?? (quick || only !== '' ? 'http' : all.join(','))).split(',');
  const unknown = parts.find((part) => !all.includes(part));
  if (unknown !== undefined) throw new Error(`--parts: unknown part "${unknown}", expected ${all.join(', ')}`);
  const number = (name: 'bars-at' | 'flat-from' | 'large' | 'postgres-accounts' | 'rounds' | 'ms', usual: number) => {
    const value = Number(values[name] ?? usual);
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
    return value;
  };
  return {
    isQuick: quick,
    parts,
    sizes: (values.sizes ?? (quick ? String(SMALL) : `1000,${SMALL},${MEDIUM},${LARGE}`)).split(',').map(Number),
    barsAt: number('bars-at', quick ? SMALL : MEDIUM),
    flatFrom: number('flat-from', SMALL),
    large: number('large', quick ? SMALL : LARGE),
    postgresUrl: values['postgres-url'],
    postgresAccounts: number('postgres-accounts', MEDIUM),
    only,
    rounds: number('rounds', quick ? 7 : 60),
    ms: number('ms', quick ? 60 : 90),
  };
}
