import type { TimeSlices } from '../../async/time-slices.ts';
import { GROUPS, groupOf } from '../../graph/search-term.ts';
import { LEAF_PLACES } from './leaf.ts';
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
  const { leaves } = list;
  const waiting = [...others];
  for (const place of placesOf(list, accounts)) {
    const leaf = leaves[Math.floor(place / LEAF_PLACES)];
    const i = place % LEAF_PLACES;
    if (leaf === undefined) continue;
    const address = leaf.addressOf(i);
    // Accounts that are not on the leaderboard have no followers as of the last ranking.
    if (leaf.followers(i) === 0) addOthers((other) => other.address < address);
    add(leaf.accounts[i] ?? 0, leaf.nameOf(i), address);
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

/** Where accounts are on the leaderboard, in its order. */
function placesOf(list: MemberList, accounts: readonly number[]): Float64Array {
  const places: number[] = [];
  for (const account of accounts) {
    const leaf = list.leafOf(account);
    if (leaf !== undefined) places.push(leaf.position * LEAF_PLACES + leaf.accounts.indexOf(account));
  }
  return Float64Array.from(places).sort();
}
