import type { Address, Hex } from './hex.ts';

/** Identifies a slot of a list records contract: `chainId/contract/slot`, the slot as 32 bytes in hex. */
export type SlotKey = `${string}/${Address}/${Hex}`;

export function slotKey(chainId: number | bigint, contract: Address, slot: Hex): SlotKey {
  return `${chainId}/${contract}/${slot}` as SlotKey;
}
