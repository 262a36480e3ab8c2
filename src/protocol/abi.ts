import type { Hex } from './hex.ts';

const WORD = 64; // hex digits of 32 bytes

/** Decodes ABI-encoded `data` of `count` dynamic values (`bytes` or `string`). Null if it is malformed. */
export function decodeDynamicValues(data: Hex, count: number): Hex[] | null {
  const values: Hex[] = [];
  for (let i = 0; i < count; i++) {
    const offset = readSmallNumber(data, 2 + i * WORD);
    if (offset === null) return null;
    const start = 2 + offset * 2;
    const length = readSmallNumber(data, start);
    if (length === null) return null;
    const value = data.slice(start + WORD, start + WORD + length * 2);
    if (value.length !== length * 2) return null;
    values.push(`0x${value}`);
  }
  return values;
}

/** The word at hex digit `at`. Null if it is missing or too large for an offset. */
function readSmallNumber(data: Hex, at: number): number | null {
  const word = data.slice(at, at + WORD);
  if (word.length !== WORD) return null;
  const value = Number.parseInt(word, 16);
  return Number.isSafeInteger(value) ? value : null;
}

/** The inverse of `decodeDynamicValues`. */
export function encodeDynamicValues(values: readonly Hex[]): Hex {
  let head = '';
  let tail = '';
  for (const value of values) {
    head += word(values.length * 32 + tail.length / 2);
    const digits = value.slice(2);
    tail += word(digits.length / 2) + digits.padEnd(Math.ceil(digits.length / WORD) * WORD, '0');
  }
  return `0x${head}${tail}`;
}

/** `value` as a 32-byte ABI word in hex, without the 0x prefix. */
export function word(value: number | bigint): string {
  return value.toString(16).padStart(WORD, '0');
}
