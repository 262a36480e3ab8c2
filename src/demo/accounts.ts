import type { Address } from '../protocol/hex.ts';
import { mix, randomDigits, streamOf } from './random.ts';

/** The account the demo is about: the most popular one. */
export const STAR = 0;
/** Accounts 1 to this one play the scripted scenes around the star, and do not follow it on their own. */
export const LAST_OF_CAST = 15;

export function addressOf(seed: number, account: number): Address {
  return `0x${randomDigits(mix(streamOf(seed, 'address'), account), 5)}`;
}
