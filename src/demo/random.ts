/** Returns a number in [0, 1). */
export type Random = () => number;

/**
 * Hashes two 32-bit numbers to one (the finaliser of Murmur3). For a fixed `a` it is a bijection on `b`, which keeps
 * addresses and slots unique without state.
 */
export function mix(a: number, b: number): number {
  let h = a ^ Math.imul(b, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** `mix` as a number in [0, 1). */
export function mixFraction(a: number, b: number): number {
  return mix(a, b) / 2 ** 32;
}

/** Mulberry32, a small and fast generator. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An integer in [0, end). */
export function below(random: Random, end: number): number {
  return Math.floor(random() * end);
}

/** The element of a non-empty `choices` at `fraction` of its length. */
export function choose<T>(choices: readonly T[], fraction: number): T {
  // Safe: a fraction below 1 is a valid index of a non-empty array.
  return choices[Math.floor(fraction * choices.length)] as T;
}

/** One buffer for all calls: several times faster than formatting each number. */
const scratch = Buffer.alloc(32);

/** Hex digits of `words` (at most 8) 32-bit numbers; different states differ within the first eight digits. */
export function randomDigits(state: number, words: number): string {
  for (let i = 0; i < words; i++) scratch.writeUInt32BE(mix(state, i), i * 4);
  return scratch.toString('hex', 0, words * 4);
}

/** Independent random streams of one seed. */
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
