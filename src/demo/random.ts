/** A source of fractions from 0 (included) to 1 (excluded). */
export type Random = () => number;

/**
 * One well-mixed 32-bit number out of two (Murmur3's finaliser). For a fixed `a`, different `b` give different
 * results: that is what keeps addresses and slots unique without remembering them.
 */
export function mix(a: number, b: number): number {
  let h = a ^ Math.imul(b, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** `mix` as a fraction from 0 (included) to 1 (excluded). */
export function mixFraction(a: number, b: number): number {
  return mix(a, b) / 2 ** 32;
}

/** Mulberry32: small, fast, and good enough for a demo. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 to `end`, `end` excluded. */
export function below(random: Random, end: number): number {
  return Math.floor(random() * end);
}

/** The element of a non-empty `choices` at `fraction` of its length. */
export function choose<T>(choices: readonly T[], fraction: number): T {
  // Safe: a fraction below 1 stays inside a list that is not empty.
  return choices[Math.floor(fraction * choices.length)] as T;
}

/** Large enough for 32 bytes; one buffer for all calls is several times faster than turning numbers into text. */
const scratch = Buffer.alloc(32);

/** `words` times 32 bits (at most 8 times) of hex digits; different states differ within the first eight digits. */
export function randomDigits(state: number, words: number): string {
  for (let i = 0; i < words; i++) scratch.writeUInt32BE(mix(state, i), i * 4);
  return scratch.toString('hex', 0, words * 4);
}

/** Separates what is drawn from one seed, so that one kind of draw never follows from another. */
const STREAMS = {
  address: 1,
  slot: 2,
  chain: 3,
  degree: 4,
  fan: 5,
  target: 6,
  friend: 7,
  tag: 8,
  block: 9,
  session: 10,
  name: 11,
  profile: 12,
  badge: 13,
} as const;

export function streamOf(seed: number, stream: keyof typeof STREAMS): number {
  return mix(mix(seed, 0x6b697468), STREAMS[stream]);
}
