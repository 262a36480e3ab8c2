import type { Address, Hex } from './hex.ts';

/** Identifies a slot of a list records contract: `chainId/contract/slot`, the slot as 32 bytes in hex. */
export type SlotKey = `${string}/${Address}/${Hex}`;

export function slotKey(chainId: number | bigint, contract: Address, slot: Hex): SlotKey {
  return `${chainId}/${contract}/${slot}` as SlotKey;
}

/** The inverse of `slotKey`; the chain id is decimal. */
export function parseSlotKey(key: SlotKey): { chainId: string; contract: Address; slot: Hex } {
  // Safe: the key has these three parts.
  const [chainId, contract, slot] = key.split('/') as [string, Address, Hex];
  return { chainId, contract, slot };
}
