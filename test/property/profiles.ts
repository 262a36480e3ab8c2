import type { RawLog } from '../../src/protocol/parse-log.ts';
import { NaiveModel } from '../model/naive-model.ts';

/**
 * Profiles for two thirds of the accounts of a history. Some names contain others, so that searches have an order to get
 * right, and some profiles have no name.
 */
export function profilesOf(seed: number, logs: readonly RawLog[]) {
  const model = new NaiveModel();
  for (const log of logs) model.add(log);
  return model
    .accounts()
    .filter((_, i) => (i + seed) % 3 !== 0)
    .map((address, i) => ({
      address,
      name: nameOf(i),
      avatar: i % 2 === 0 ? `https://example.org/${i}.png` : '',
      header: i % 3 === 0 ? `https://example.org/header/${i}.png` : '',
      records: i % 4 === 0 ? { description: `"${i}" é`, url: 'https://example.org' } : {},
      fresh: 1_700_000_000_000 + i,
    }));
}

/** Of other scripts, with a letter of several code points, and like digits of an address. */
const ODD = ['שלום', 'étude', '👩‍👧sub', '3fa', 'bad', 'a'.repeat(200)];

function nameOf(i: number): string {
  if (i % 6 === 5) return '';
  if (i % 7 === 6) return `${ODD[i % ODD.length]}.n${i}.eth`;
  return i % 4 === 3 ? `a${i}.sub${i - 1}.eth` : `sub${i}.eth`;
}
