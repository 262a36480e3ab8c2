import type { Address } from '../protocol/hex.ts';

export interface ListState {
  /** Null before the list is minted and after it is burned: then it does not exist. */
  readonly owner: string | null;
  /** The slot that the list is stored in. */
  readonly slot: string | null;
}

export interface SlotState {
  readonly user: string | null;
}

/** Whom a list stands for: its slot's user, else its owner. Nobody while it does not exist. */
export function accountOfList({ owner, slot }: ListState, slotOf: (key: string) => SlotState | null): string | null {
  if (owner === null || slot === null) return owner;
  return slotOf(slot)?.user ?? owner;
}

/** The list that an account's edges come from, and the slot that holds them. */
export interface ActiveList {
  readonly list: string;
  readonly slot: string;
}

/**
 * A primary list counts only while it exists, has a location, and that slot names the account as its user:
 * anybody can point a list at anybody's slot, but a slot has one user.
 */
export function activeList(
  account: Address,
  primaryList: string | null,
  listOf: (tokenId: string) => ListState | null,
  slotOf: (key: string) => SlotState | null,
): ActiveList | null {
  if (primaryList === null) return null;
  const list = listOf(primaryList);
  if (list === null || list.owner === null || list.slot === null) return null;
  return slotOf(list.slot)?.user === account ? { list: primaryList, slot: list.slot } : null;
}
