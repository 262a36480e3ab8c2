import { overlap } from '../../async/batches.ts';
import { recordRow } from '../../rows/record-rows.ts';
import type { Row } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import type { AddressOrder } from './address-order.ts';
import { edgeAt, type Graph } from './fold-graph.ts';
import { type Grouping, groupOf } from './numbers.ts';

/** Rows per write. */
const CHUNK = 1_000;

/** Writes the records of every slot in key order into the empty table. */
export async function writeAllRecords(
  tx: Transaction,
  addresses: readonly string[],
  graph: Graph,
  bySlot: Grouping,
  order: AddressOrder,
): Promise<void> {
  await overlap(recordRows(addresses, graph, bySlot, order), (rows) => tx.insert('records', rows));
}

function* recordRows(
  addresses: readonly string[],
  { records }: Graph,
  bySlot: Grouping,
  { rank }: AddressOrder,
): Generator<Row<'records'>[]> {
  // Safe, here and below: every account id has a rank and an address.
  const rankOf = (record: number) => rank[records.account.at(record)] as number;
  let rows: Row<'records'>[] = [];
  for (let slot = 0; slot + 1 < bySlot.start.length; slot++) {
    const ofSlot = groupOf(bySlot, slot);
    ofSlot.sort((a, b) => records.time.at(b) - records.time.at(a) || rankOf(a) - rankOf(b));
    for (const record of ofSlot) {
      rows.push(recordRow(slot, addresses[records.account.at(record)] as string, edgeAt(records, record)));
    }
    if (rows.length < CHUNK) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}
