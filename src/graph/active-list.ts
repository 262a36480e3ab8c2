import type { Address } from '../protocol/hex.ts';

export interface ListState {
  /** Null before the list is minted and after it is burned. */
  readonly owner: string | null;
  /** The slot that the list is stored in. */
  readonly slot: string | null;
}

export interface SlotState {
  readonly user: string | null;
}

/** The account of a list: its slot's user, else its owner. Null if the list does not exist. */
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
 * A primary list is valid while it exists, has a location, and that slot names the account as its user. Anyone can
 * point a list at any slot, but a slot has one user.
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
