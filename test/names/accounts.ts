import type { Address } from '../../src/protocol/hex.ts';

/** Unix milliseconds at which tests of names start. */
export const NOW = 1_700_000_000_000;

/** Contains hex letters, which a node may write in another case. */
export function accountOf(index: number): Address {
  return `0x${(0xabcd_0000 + index).toString(16).repeat(5)}`;
}
