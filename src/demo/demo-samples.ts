import type { Address } from '../protocol/hex.ts';
import { addressOf, STAR } from './accounts.ts';
import { ORPHAN_LISTS } from './demo-logs.ts';
import type { DemoOptions } from './demo-options.ts';
import { nameOf } from './names.ts';

/** The account for sample requests. */
export function demoSamples(options: DemoOptions): { name: string; address: Address; list: string } {
  const name = nameOf(options, STAR);
  if (name === undefined) throw new Error('the star has no name');
  // The star joins first, so its list follows the orphan lists.
  return { name, address: addressOf(options.seed, STAR), list: String(ORPHAN_LISTS) };
}
