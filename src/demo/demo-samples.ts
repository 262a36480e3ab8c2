import type { Address } from '../protocol/hex.ts';
import { addressOf, STAR } from './accounts.ts';
import { ORPHAN_LISTS } from './demo-logs.ts';
import type { DemoOptions } from './demo-options.ts';
import { nameOf } from './names.ts';

/** An account worth looking at first. */
export function demoSamples(options: DemoOptions): { name: string; address: Address; list: string } {
  const name = nameOf(options, STAR);
  if (name === undefined) throw new Error('the star has lost its name');
  // The star joins first, after the lists that belong to nobody.
  return { name, address: addressOf(options.seed, STAR), list: String(ORPHAN_LISTS) };
}
