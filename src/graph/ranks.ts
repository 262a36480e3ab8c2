/** The number of accounts with a count. */
export interface Share {
  readonly count: number;
  readonly accounts: number;
}

/** The rank of each count, as text: 1 plus the number of accounts with a greater one. */
export function ranksOfCounts(shares: readonly Share[]): Map<number, string> {
  const ranks = new Map<number, string>();
  let greater = 0;
  for (const { count, accounts } of shares.toSorted((a, b) => b.count - a.count)) {
    ranks.set(count, `${greater + 1}`);
    greater += accounts;
  }
  return ranks;
}
