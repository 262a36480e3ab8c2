import { type FindStaleRanks, prepareFindStaleRanks } from '../store/find-stale-ranks.ts';
import type { Store } from '../store/store.ts';
import { computeRanks } from './compute-ranks.ts';

export interface StaleRanks {
  readonly find: FindStaleRanks;
  /** Computes the ranks if the graph has changed since. Returns whether it did. */
  update(now: number): Promise<boolean>;
}

/** Finds ranks that are older than the graph: a process that was killed before its ranking leaves them behind. */
export function prepareStaleRanks({ reader, transaction }: Pick<Store, 'reader' | 'transaction'>): StaleRanks {
  const find = prepareFindStaleRanks(reader);
  return {
    find,
    async update(now) {
      if ((await find()) === null) return false;
      return (await transaction((tx) => computeRanks(tx, now))) !== null;
    },
  };
}
