import { findStaleRanks } from '../store/marks.ts';
import type { Store } from '../store/store.ts';
import { computeRanks } from './compute-ranks.ts';

/**
 * Computes the ranks if the graph has changed since: a process that was killed before its ranking leaves stale ones
 * behind. Returns whether it did.
 */
export async function updateStaleRanks(store: Pick<Store, 'reader' | 'transaction'>, now: number): Promise<boolean> {
  if ((await findStaleRanks(store.reader)) === null) return false;
  return (await store.transaction((tx) => computeRanks(tx, now))) !== null;
}
