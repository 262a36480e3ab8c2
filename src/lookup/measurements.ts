import { findStaleRanks } from '../store/marks.ts';
import type { Row } from '../store/schema.ts';
import { statement } from '../store/statement.ts';
import type { Store, StoreSize } from '../store/store.ts';

/** Numbers for /metrics that /status does not have. */
export interface Measurements {
  /** Counters of the indexer, which may run in another process. */
  readonly counters: readonly Row<'counters'>[];
  /** When a node last reported the head of a chain, in Unix milliseconds. */
  readonly checkedAt: ReadonlyMap<number, number>;
  /** Whether the graph has changed since the ranks were made. */
  readonly ranksAreStale: boolean;
  readonly size: StoreSize;
}

const COUNTERS = statement<object, Row<'counters'>>((db) => db.selectFrom('counters').selectAll());
const CHECKS = statement<object, Pick<Row<'cursors'>, 'chain_id' | 'checked_at'>>((db) =>
  db.selectFrom('cursors').select(['chain_id', 'checked_at']),
);

export async function readMeasurements({
  reader,
  readSize,
}: Pick<Store, 'reader' | 'readSize'>): Promise<Measurements> {
  const checks = await reader.all(CHECKS, {});
  return {
    counters: await reader.all(COUNTERS, {}),
    checkedAt: new Map(checks.map(({ chain_id, checked_at }) => [chain_id, checked_at])),
    ranksAreStale: (await findStaleRanks(reader)) !== null,
    size: await readSize(),
  };
}
