import type { NaiveModel } from '../model/naive-model.ts';

/** Names for two thirds of the accounts; some are part of others, so that searches have something to order. */
export function profilesOf(seed: number, model: NaiveModel) {
  return model
    .accounts()
    .filter((_, i) => (i + seed) % 3 !== 0)
    .map((address, i) => ({
      address,
      name: i % 4 === 3 ? `a${i}.sub${i - 1}.eth` : `sub${i}.eth`,
      avatar: i % 2 === 0 ? `https://example.org/${i}.png` : '',
      fresh: 1_700_000_000_000 + i,
    }));
}
