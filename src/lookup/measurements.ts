import { prepareFindStaleRanks } from '../store/find-stale-ranks.ts';
import type { Row } from '../store/schema.ts';
import type { Reader, Store, StoreSize } from '../store/store.ts';

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

export function createMeasurementsLookup(
  { readSize }: Pick<Store, 'readSize'>,
  reader: Reader,
): () => Promise<Measurements> {
  const counters = reader.prepare<object, Row<'counters'>>((db) => db.selectFrom('counters').selectAll());
  const checks = reader.prepare<object, Pick<Row<'cursors'>, 'chain_id' | 'checked_at'>>((db) =>
    db.selectFrom('cursors').select(['chain_id', 'checked_at']),
  );
  const findStaleRanks = prepareFindStaleRanks(reader);
  return async () => ({
    counters: await counters({}),
    checkedAt: new Map((await checks({})).map(({ chain_id, checked_at }) => [chain_id, checked_at])),
    ranksAreStale: (await findStaleRanks()) !== null,
    size: await readSize(),
  });
}
