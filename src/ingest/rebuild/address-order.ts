/** The order of account ids by address, in both directions. */
export interface AddressOrder {
  /** Account ids, sorted by address. */
  readonly sorted: Int32Array;
  /** The position of each account id in `sorted`. */
  readonly rank: Int32Array;
}

export function orderByAddress(addresses: readonly string[]): AddressOrder {
  // Safe: the ids are indexes of the array.
  const addressOf = (account: number) => addresses[account] as string;
  const sorted = Int32Array.from(addresses.keys()).sort((a, b) => (addressOf(a) < addressOf(b) ? -1 : 1));
  const rank = new Int32Array(sorted.length);
  for (const [position, account] of sorted.entries()) rank[account] = position;
  return { sorted, rank };
}
