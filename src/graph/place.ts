import type { Address } from '../protocol/hex.ts';

/** More followers than this are taken for this many. */
const MOST_FOLLOWERS = 2 ** 24 - 1;
const DIGITS = 7;

/**
 * Where an account stands on the leaderboard, as a number: the more followers the lower, then by the first digits of
 * the address. The few who share a place stand in the order of their whole addresses. Unlike a position, it stays the
 * same while others come and go. 52 bits: what JavaScript can count.
 */
export function placeOf(followers: number, address: Address): number {
  const behind = MOST_FOLLOWERS - Math.min(followers, MOST_FOLLOWERS);
  return behind * 16 ** DIGITS + Number.parseInt(address.slice(2, 2 + DIGITS), 16);
}
