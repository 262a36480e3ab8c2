import type { TimeSlices } from '../../async/time-slices.ts';
import { GROUPS, groupOf } from '../../graph/search-term.ts';
import type { Leaf } from './leaf.ts';
import type { MemberList } from './member-list.ts';

/** An account that is not on the leaderboard. */
export interface OtherAccount {
  readonly account: number;
  readonly address: string;
  /** In lower case. */
  readonly name: string;
}

/** Those of some accounts that match a term, in the order of a search. `others` are sorted by address. */
export async function findAmong(
  list: MemberList,
  accounts: readonly number[],
  others: readonly OtherAccount[],
  term: string,
  slices: TimeSlices,
): Promise<number[]> {
  const groups: number[][] = Array.from({ length: GROUPS }, () => []);
  const add = (account: number, name: string, address: string) => {
    const group = groupOf(term, name, address);
    if (group !== null) groups[group]?.push(account);
  };
  const waiting = [...others];
  const byLeaf = Map.groupBy(accounts, (account) => list.leafOf(account));
  byLeaf.delete(undefined);
  // Safe: the leaf of accounts that are no members was deleted.
  const inOrder = ([...byLeaf] as [Leaf, number[]][]).sort(([a], [b]) => a.position - b.position);
  for (const [leaf, some] of inOrder) {
    for (const i of Int32Array.from(some, (account) => leaf.accounts.indexOf(account)).sort()) {
      const address = leaf.addressOf(i);
      // Accounts that are not on the leaderboard have no followers as of the last ranking.
      if (leaf.followers(i) === 0) addOthers((other) => other.address < address);
      add(leaf.accounts[i] ?? 0, leaf.nameOf(i), address);
    }
    if (slices.isOver()) await slices.next();
  }
  addOthers(() => true);
  return groups.flat();

  function addOthers(isNext: (other: OtherAccount) => boolean): void {
    const end = waiting.findIndex((other) => !isNext(other));
    for (const { account, name, address } of waiting.splice(0, end === -1 ? waiting.length : end))
      add(account, name, address);
  }
}
