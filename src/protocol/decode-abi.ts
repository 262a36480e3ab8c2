import type { Address, Hex } from './hex.ts';

// A dynamic value stands in the tail. Its slot in the head has its offset, counted from the start of that head:
//
//   head                           tail
//  +--------+--------+--------+   +--------+-------+---------+--------+---
//  | word   | offset | offset |   | length | bytes | padding | length | …
//  +--------+--------+--------+   +--------+-------+---------+--------+---
//
// Encoders write the values in their order. A decoder that follows every offset decodes one long value as often as offsets
// point to it: 258 KiB of data become 100 MB. This one accepts values in their order only, so that they cannot overlap and
// have no more bytes than the data.

const WORD_BYTES = 32;

/** Reads a value from the slot that it has in the head that starts at byte `base`. Throws a `MalformedAbiError`. */
export type AbiType<T> = (slot: string, data: AbiData, base: number) => T;
type AbiTypes<T extends readonly unknown[]> = { readonly [K in keyof T]: AbiType<T[K]> };

class MalformedAbiError extends Error {}

/** Decodes data that others wrote. Null if it is malformed. */
export function decodeAbi<T extends readonly unknown[]>(data: Hex, types: AbiTypes<T>): T | null {
  try {
    return readTuple(new AbiData(data), 0, types);
  } catch (error) {
    if (error instanceof MalformedAbiError) return null;
    throw error;
  }
}

export const abiWord: AbiType<Hex> = (slot) => `0x${slot}`;

export const abiAddress: AbiType<Address> = (slot) => `0x${slot.slice(-40)}`;

export const abiBytes: AbiType<Hex> = (slot, data, base) => {
  const at = base + toNumber(slot);
  return `0x${data.take(at + WORD_BYTES, toNumber(data.take(at, WORD_BYTES)))}`;
};

const utf8 = new TextDecoder();

export const abiString: AbiType<string> = (...place) => utf8.decode(Buffer.from(abiBytes(...place).slice(2), 'hex'));

/** An array of any length, or of exactly `count` elements. */
export function abiArray<T>(type: AbiType<T>, count?: number): AbiType<T[]> {
  return (slot, data, base) => {
    const at = base + toNumber(slot);
    const length = toNumber(data.take(at, WORD_BYTES));
    if (count !== undefined && length !== count) throw new MalformedAbiError();
    const start = at + WORD_BYTES;
    return slotsOf(data.take(start, length * WORD_BYTES)).map((element) => type(element, data, start));
  };
}

/** A tuple with at least one dynamic value. */
export function abiTuple<T extends readonly unknown[]>(types: AbiTypes<T>): AbiType<T> {
  return (slot, data, base) => readTuple(data, base + toNumber(slot), types);
}

function readTuple<T extends readonly unknown[]>(data: AbiData, at: number, types: AbiTypes<T>): T {
  const slots = slotsOf(data.take(at, types.length * WORD_BYTES));
  // Safe: there is a slot for each type.
  return types.map((type, i) => type(slots[i] as string, data, at)) as unknown as T;
}

function slotsOf(head: string): string[] {
  const slots: string[] = [];
  for (let at = 0; at < head.length; at += WORD_BYTES * 2) slots.push(head.slice(at, at + WORD_BYTES * 2));
  return slots;
}

function toNumber(word: string): number {
  const value = Number.parseInt(word, 16);
  if (!Number.isSafeInteger(value)) throw new MalformedAbiError();
  return value;
}

/** Hands out each byte once, from the first to the last. */
class AbiData {
  readonly #data: Hex;
  /** Where the bytes end that were taken so far. */
  #end = 0;

  constructor(data: Hex) {
    this.#data = data;
  }

  /** `length` bytes from byte `at` on, as hex digits. */
  take(at: number, length: number): string {
    const end = at + length;
    if (at < this.#end || 2 + end * 2 > this.#data.length) throw new MalformedAbiError();
    this.#end = end;
    return this.#data.slice(2 + at * 2, 2 + end * 2);
  }
}
