import { parseArgs } from 'node:util';

export interface Options {
  readonly isQuick: boolean;
  readonly names: readonly string[];
  readonly seed: number;
  readonly soakMinutes: number;
}

/** The seed is random unless one is given to repeat a run. */
export function parseOptions(all: readonly string[]): Options {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      seed: { type: 'string' },
      'soak-minutes': { type: 'string' },
    },
  });
  const names = values.only?.split(',') ?? all;
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`--only: unknown drill "${unknown}", expected ${all.join(', ')}`);
  const soakMinutes = Number(values['soak-minutes'] ?? (values.quick ? 1 : 20));
  if (!(soakMinutes > 0)) throw new Error('--soak-minutes must be a number above 0');
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
  if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number');
  return { isQuick: values.quick, names, seed, soakMinutes };
}
