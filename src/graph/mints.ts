/** The accounts that a list was minted to, given its owners in chain order; null where it was burned. */
export function mintsOf<A extends string | number>(owners: readonly (A | null)[]): A[] {
  return owners.filter((owner, i): owner is A => owner !== null && (owners[i - 1] ?? null) === null);
}
