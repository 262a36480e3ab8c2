/** The number of accounts with a count. */
export interface Share {
  readonly count: number;
  readonly accounts: number;
}

/** The rank of each count: 1 plus the number of accounts with a greater one. */
export function ranksOf(shares: readonly Share[]): Map<number, number> {
  const ranks = new Map<number, number>();
  let greater = 0;
  for (const { count, accounts } of shares.toSorted((a, b) => b.count - a.count)) {
    ranks.set(count, greater + 1);
    greater += accounts;
  }
  return ranks;
}
