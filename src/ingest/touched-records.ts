import { settleAll } from '../async/batches.ts';
import { type Edge, foldRecord } from '../graph/fold-record.ts';
import type { Address } from '../protocol/hex.ts';
import { type Cells, type DatedOp, datedOps, isRecord } from '../rows/cells.ts';
import { recordRow } from '../rows/record-rows.ts';
import type { SubjectIds } from '../rows/stored-log.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import type { RegisterRows } from './register-rows.ts';

/** A record whose logs have changed, of any slot, before and after the change. */
export interface TouchedRecord {
  readonly slot: string;
  readonly address: Address;
  readonly ops: readonly DatedOp[];
  readonly before: Edge | null;
  readonly after: Edge | null;
  /** Whether the two differ. */
  readonly isChanged: boolean;
}

export function foldTouched(cells: Cells): TouchedRecord[] {
  const touched: TouchedRecord[] = [];
  for (const [slot, parts] of cells) {
    for (const [address, logs] of parts) {
      if (!isRecord(address)) continue;
      const ops = datedOps(logs);
      const before = foldRecord(ops.filter(({ log }) => log.before));
      const after = foldRecord(ops.filter(({ log }) => log.after));
      touched.push({ slot, address, ops, before, after, isChanged: !sameEdge(before, after) });
    }
  }
  return touched;
}

function sameEdge(a: Edge | null, b: Edge | null): boolean {
  if (a === null || b === null) return a === b;
  return a.time === b.time && a.tags.length === b.tags.length && a.tags.every((tag, i) => tag === b.tags[i]);
}

/** Counts in how many slots each account is a record. The rows of the accounts must have been loaded. */
export function countListed({ accounts }: RegisterRows, touched: readonly TouchedRecord[]): void {
  for (const { address, before, after } of touched) {
    if ((before === null) !== (after === null)) accounts.after(address).listed += after === null ? -1 : 1;
  }
}

export async function writeRecords(
  tx: Transaction,
  subjects: SubjectIds,
  touched: readonly TouchedRecord[],
): Promise<void> {
  const removed: Row<'records'>[] = [];
  const added: Row<'records'>[] = [];
  for (const { slot, address, before, after, isChanged } of touched) {
    if (!isChanged) continue;
    const id = subjects.requireId(slot);
    if (before !== null) removed.push(recordRow(id, address, before));
    if (after !== null) added.push(recordRow(id, address, after));
  }
  // Remove first: the time of a record may change, and it is part of the key.
  await settleAll([tx.remove('records', removed), tx.upsert('records', added)]);
}
