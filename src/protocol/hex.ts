/** Lower-case hex string with the prefix `0x`. */
export type Hex = `0x${string}`;
/** Twenty bytes as lower-case hex. */
export type Address = Hex;

export const ZERO_ADDRESS: Address = `0x${'0'.repeat(40)}`;

const HEX = /^0x[0-9a-f]*$/i;
const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** Normalises hex to lower case. Null unless it is hex of whole bytes. */
export function parseHex(text: unknown): Hex | null {
  const isHex = typeof text === 'string' && text.length % 2 === 0 && HEX.test(text);
  return isHex ? (text.toLowerCase() as Hex) : null;
}

/** Normalises an address to lower case, without verifying its checksum. Null unless it is an address. */
export function parseAddress(text: unknown): Address | null {
  return typeof text === 'string' && ADDRESS.test(text) ? (text.toLowerCase() as Address) : null;
}

export function byteLength(hex: Hex): number {
  return (hex.length - 2) / 2;
}

/** Bytes `start` (included) to `end` (excluded) of `hex`. */
export function sliceHex(hex: Hex, start: number, end?: number): Hex {
  return `0x${hex.slice(2 + start * 2, end === undefined ? undefined : 2 + end * 2)}`;
}

export function hexToBuffer(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}

/** Encodes a number as JSON-RPC does: without leading zeros. */
export function toQuantity(value: number): Hex {
  return `0x${value.toString(16)}`;
}

/** Encodes `text` as UTF-8 bytes in hex. */
export function textToHex(text: string): Hex {
  return `0x${Buffer.from(text).toString('hex')}`;
}

/** An address as it is shown to people. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
