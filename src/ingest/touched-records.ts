import { settleAll } from '../async/settle-all.ts';
import { type Edge, foldRecord } from '../graph/fold-record.ts';
import { RELATION_CODES } from '../graph/relation.ts';
import type { Address } from '../protocol/hex.ts';
import { type Cells, type DatedOp, datedOps } from '../rows/cells.ts';
import { type Ids, tagKey } from '../rows/ids.ts';
import { isRecord } from '../rows/stored-log.ts';
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

export async function writeRecords(tx: Transaction, ids: Ids, touched: readonly TouchedRecord[]): Promise<void> {
  const removed: RecordRows = { records: [], tags: [] };
  const added: RecordRows = { records: [], tags: [] };
  for (const { slot, address, before, after, isChanged } of touched) {
    if (!isChanged) continue;
    const key = { slot: ids.requireId(slot), account: ids.requireId(address), address_key: address };
    addRecordRows(removed, ids, key, before);
    addRecordRows(added, ids, key, after);
  }
  const keyOf = ({ slot, account, tag }: RecordRows['tags'][number]) => `${slot} ${account} ${tag}`;
  const [before, after] = [new Set(removed.tags.map(keyOf)), new Set(added.tags.map(keyOf))];
  // Remove first: the time of a record may change, and it is part of the key.
  await settleAll([
    tx.remove('records', removed.records),
    tx.upsert('records', added.records),
    tx.remove(
      'record_tags',
      removed.tags.filter((row) => !after.has(keyOf(row))),
    ),
    tx.insert(
      'record_tags',
      added.tags.filter((row) => !before.has(keyOf(row))),
    ),
  ]);
}

export interface RecordRows {
  readonly records: Row<'records'>[];
  readonly tags: Row<'record_tags'>[];
}

/** Adds the rows of a record of a slot. The ids of the tags must have been assigned. */
export function addRecordRows(
  rows: RecordRows,
  ids: Ids,
  { slot, account, address_key }: Pick<Row<'records'>, 'slot' | 'account' | 'address_key'>,
  edge: Edge | null,
): void {
  if (edge === null) return;
  const { relation, tags, time } = edge;
  rows.records.push({
    ...{ slot, time, address_key, account },
    relation: RELATION_CODES[relation],
    tagged: tags.length > 0 ? 1 : 0,
  });
  for (const tag of tags) rows.tags.push({ slot, account, tag: ids.requireId(tagKey(tag)) });
}
