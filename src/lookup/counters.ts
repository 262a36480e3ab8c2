import type { Row } from '../store/schema.ts';
import type { Reader } from '../store/store.ts';

export type CounterRow = Row<'counters'>;

/** What has happened to the indexer, which counts in another process. */
export function createCountersLookup(reader: Reader): () => Promise<CounterRow[]> {
  const counters = reader.prepare<object, CounterRow>((db) => db.selectFrom('counters').selectAll());
  return () => counters({});
}
