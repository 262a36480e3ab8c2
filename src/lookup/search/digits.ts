import { ADDRESS_BYTES } from './leaf.ts';

const digit = (text: string, at: number) => Number.parseInt(text[at] ?? '0', 16);

/** Whether one of several addresses starts with hex digits. */
export function startsWithDigits(addresses: Buffer, index: number, digits: string): boolean {
  const start = index * ADDRESS_BYTES;
  return addresses.toString('hex', start, start + ADDRESS_BYTES).startsWith(digits);
}

/** The indexes of all that do: most are excluded by their first byte. */
export function indexesStartingWith(addresses: Buffer, digits: string): number[] {
  const found: number[] = [];
  const mask = [0, 0xf0][digits.length] ?? 0xff;
  const first = Number.parseInt(digits.slice(0, 2).padEnd(2, '0'), 16);
  for (let i = 0; i * ADDRESS_BYTES < addresses.length; i++)
    if (((addresses[i * ADDRESS_BYTES] ?? 0) & mask) === first && startsWithDigits(addresses, i, digits)) found.push(i);
  return found;
}

/** Fewer digits include no whole byte. */
const MIN_SEARCHED = 3;

/**
 * The indexes of the addresses that have hex digits anywhere, in order. The bytes are searched for the whole bytes among
 * the digits, which begin with the first or the second one: 2 ms for a million addresses, and 50 ms for their digits as text.
 */
export function indexesWithDigits(addresses: Buffer, digits: string): number[] {
  const found = new Set<number>();
  if (digits.length < MIN_SEARCHED) {
    for (let at = 0; at < addresses.length; at += ADDRESS_BYTES)
      if (addresses.toString('hex', at, at + ADDRESS_BYTES).includes(digits)) found.add(at / ADDRESS_BYTES);
    return [...found];
  }
  for (const skipped of [0, 1]) {
    const end = digits.length - ((digits.length - skipped) % 2);
    const bytes = Buffer.from(digits.slice(skipped, end), 'hex');
    for (let at = addresses.indexOf(bytes); at !== -1; at = addresses.indexOf(bytes, at + 1)) {
      const index = Math.floor(at / ADDRESS_BYTES);
      const after = at + bytes.length;
      const [first, last] = [at - skipped, end < digits.length ? after : after - 1];
      const isWithin = first >= index * ADDRESS_BYTES && last < (index + 1) * ADDRESS_BYTES;
      if (!isWithin) continue;
      if (skipped === 1 && ((addresses[first] ?? 0) & 15) !== digit(digits, 0)) continue;
      if (end < digits.length && (addresses[after] ?? 0) >> 4 !== digit(digits, end)) continue;
      found.add(index);
    }
  }
  return [...found].sort((a, b) => a - b);
}
