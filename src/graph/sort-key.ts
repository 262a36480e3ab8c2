import type { Address } from '../protocol/hex.ts';

/** Higher follower counts sort as this one. */
const MAX_FOLLOWERS = 2 ** 24 - 1;
const DIGITS = 7;

/**
 * Sort key of an account on the leaderboard: descending by followers, then ascending by the first digits of the address.
 * The few accounts that share a key are sorted by their whole addresses. Unlike a position, it does not change when
 * other accounts join or leave. It has 52 bits, so that it is a safe integer.
 */
export function sortKeyOf(followers: number, address: Address): number {
  const descending = MAX_FOLLOWERS - Math.min(followers, MAX_FOLLOWERS);
  return descending * 16 ** DIGITS + Number.parseInt(address.slice(2, 2 + DIGITS), 16);
}
