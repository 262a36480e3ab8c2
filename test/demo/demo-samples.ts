import { addressOf, type DemoOptions, nameOf, TOP_ACCOUNT } from '../../src/demo/accounts.ts';
import { ORPHAN_LISTS } from '../../src/demo/demo-logs.ts';
import type { Address } from '../../src/protocol/hex.ts';

/** The account for sample requests. */
export function demoSamples(options: DemoOptions): { name: string; address: Address; list: string } {
  const name = nameOf(options, TOP_ACCOUNT);
  if (name === undefined) throw new Error('the star has no name');
  // The star joins first, so its list follows the orphan lists.
  return { name, address: addressOf(options.seed, TOP_ACCOUNT), list: String(ORPHAN_LISTS) };
}
