import { overlap } from '../../async/batches.ts';
import { settleAll } from '../../async/settle-all.ts';
import { addRecordRows, type RecordRows } from '../../rows/record-rows.ts';
import type { Transaction } from '../../store/store.ts';
import { edgeAt, type Graph } from './fold-graph.ts';
import { inChunks } from './in-chunks.ts';
import { type Grouping, groupOf } from './numbers.ts';
import type { RowInputs } from './row-inputs.ts';

/** Writes the records of every slot in key order into the empty tables. */
export async function writeAllRecords(
  tx: Transaction,
  inputs: RowInputs,
  graph: Graph,
  bySlot: Grouping,
): Promise<void> {
  await overlap(recordRows(inputs, graph, bySlot), async ({ records, tags }) => {
    await settleAll([tx.insert('records', records), tx.insert('record_tags', tags.sort(byKey))]);
  });
}

function byKey(a: RecordRows['tags'][number], b: RecordRows['tags'][number]): number {
  return a.slot - b.slot || a.account - b.account || a.tag - b.tag;
}

function recordRows({ ids }: RowInputs, { records }: Graph, bySlot: Grouping): Generator<RecordRows> {
  const addressOf = (record: number) => ids.addressOf(records.account.at(record));
  const addRows = (rows: RecordRows, slot: number) => {
    const ofSlot = groupOf(bySlot, slot);
    ofSlot.sort((a, b) => records.time.at(b) - records.time.at(a) || (addressOf(a) < addressOf(b) ? -1 : 1));
    for (const record of ofSlot) {
      const account = records.account.at(record);
      addRecordRows(rows, ids, { slot, account, address_key: addressOf(record) }, edgeAt(records, record));
    }
  };
  // The last start is the end of the last slot.
  const slots = bySlot.start.subarray(0, -1).keys();
  return inChunks(
    slots,
    (): RecordRows => ({ records: [], tags: [] }),
    addRows,
    (rows) => rows.records.length,
  );
}
