/** 52 bits: the longest prefix of an address that is a safe integer. */
const DIGITS = 13;

/**
 * The first digits of an address as a number. Keys that order accounts by address hold it before the id, because ids
 * come in order of arrival. Addresses that share a prefix are ordered by a query that joins the whole address.
 */
export function addressPrefix(address: string): number {
  return Number.parseInt(address.slice(2, 2 + DIGITS), 16);
}
