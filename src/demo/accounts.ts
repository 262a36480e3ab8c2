import type { Address } from '../protocol/hex.ts';
import { mix, randomDigits, streamOf } from './random.ts';

/** The most popular account, around which the script is written. */
export const TOP_ACCOUNT = 0;
/** Accounts 1 to this one act in the script, and follow the top account only there. */
export const LAST_SCRIPTED = 15;

export function addressOf(seed: number, account: number): Address {
  return `0x${randomDigits(mix(streamOf(seed, 'address'), account), 5)}`;
}
