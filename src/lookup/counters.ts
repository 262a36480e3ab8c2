import type { Row } from '../store/schema.ts';
import type { Reader } from '../store/store.ts';

export type CounterRow = Row<'counters'>;

/** Counters of the indexer, which may run in another process. */
export function createCountersLookup(reader: Reader): () => Promise<CounterRow[]> {
  const counters = reader.prepare<object, CounterRow>((db) => db.selectFrom('counters').selectAll());
  return () => counters({});
}
