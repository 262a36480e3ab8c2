import type { RawLog } from '../../src/protocol/parse-log.ts';
import { NaiveModel } from '../model/naive-model.ts';

/** Names for two thirds of the accounts of a history. Some contain others, so that searches have an order to get right. */
export function profilesOf(seed: number, logs: readonly RawLog[]) {
  const model = new NaiveModel();
  for (const log of logs) model.add(log);
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
