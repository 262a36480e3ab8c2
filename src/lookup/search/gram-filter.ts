/** Spreads grams over the bits. */
const FACTOR = 0x9e3779b1;
const TEXT_BYTES = 3;
const GRAM_DIGITS = 5;

/** The numbers of all grams of a text: three bytes each. A shorter text has none. */
export function textGrams(text: Uint8Array): number[] {
  const grams = [];
  for (let i = 0; i + TEXT_BYTES <= text.length; i++)
    grams.push(((text[i] ?? 0) << 16) | ((text[i + 1] ?? 0) << 8) | (text[i + 2] ?? 0));
  return grams;
}

/** The same of hex digits: five digits each. */
export function digitGrams(digits: string): number[] {
  const grams = [];
  for (let i = 0; i + GRAM_DIGITS <= digits.length; i++)
    grams.push(Number.parseInt(digits.slice(i, i + GRAM_DIGITS), 16));
  return grams;
}

/** A Bloom filter of grams with one bit for each: a gram whose bit is not set is not in the set. */
export class GramFilter {
  readonly #bits: Uint32Array;
  readonly #shift: number;

  constructor(bits: number) {
    this.#bits = new Uint32Array(2 ** (bits - 5));
    this.#shift = 32 - bits;
  }

  /** Adds the grams of a text. */
  addText(text: Uint8Array): void {
    let gram = 0;
    for (let i = 0; i < text.length; i++) {
      gram = ((gram << 8) | (text[i] ?? 0)) & 0xff_ff_ff;
      if (i >= TEXT_BYTES - 1) this.#add(gram);
    }
  }

  /** Adds the grams of the digits of each `length` bytes. */
  addDigits(bytes: Uint8Array, length: number): void {
    let gram = 0;
    for (let i = 0; i < 2 * bytes.length; i++) {
      const byte = bytes[i >> 1] ?? 0;
      gram = ((gram << 4) | (i % 2 === 0 ? byte >> 4 : byte & 15)) & 0xf_ff_ff;
      if (i % (2 * length) >= GRAM_DIGITS - 1) this.#add(gram);
    }
  }

  mayHave(grams: readonly number[]): boolean {
    for (const gram of grams) {
      const bit = Math.imul(gram, FACTOR) >>> this.#shift;
      if (((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }

  #add(gram: number): void {
    const bit = Math.imul(gram, FACTOR) >>> this.#shift;
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
}
