export interface Random {
  /** From 0 up to, without, `below`. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Calls one of the makers, each as often as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, make: () => T])[]): T;
}

/** Mulberry32: 32 bits of state, enough for test data, the same on every machine. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    chance: (probability) => next() < probability,
    // Safe: the index lies within the list, which no caller leaves empty.
    pick: <T>(items: readonly T[]) => items[int(items.length)] as T,
    weighted<T>(choices: readonly (readonly [number, () => T])[]) {
      let left = next() * choices.reduce((sum, [weight]) => sum + weight, 0);
      const chosen = choices.find(([weight]) => {
        left -= weight;
        return left < 0;
      });
      if (!chosen) throw new Error('there is nothing to choose from');
      return chosen[1]();
    },
  };
}
