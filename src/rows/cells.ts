import type { RecordOp } from '../graph/fold-record.ts';
import { IGNORED_PART } from '../protocol/decode-log.ts';
import type { Address } from '../protocol/hex.ts';
import type { Transaction } from '../store/store.ts';
import type { Ids } from './ids.ts';
import { decodeStoredOp, isRecord, readCellLogs, readSlotLogs, type StoredLog } from './stored-log.ts';

/** The logs that a transaction has stored and deleted. */
export interface Change {
  readonly added: readonly StoredLog[];
  readonly removed: readonly StoredLog[];
}

/** A log of a cell, and whether it exists before the change, after it, or both. */
export interface DatedLog {
  readonly row: StoredLog;
  readonly before: boolean;
  readonly after: boolean;
}

export interface DatedOp extends RecordOp {
  readonly log: DatedLog;
  readonly record: Address;
}

/** Logs by subject, then by part. Each cell is in chain order. */
export type Cells = Map<string, Map<string, DatedLog[]>>;

/** Reads cells and marks which of their logs the change added or removed, so that both states can be folded. */
export class CellReader {
  readonly #tx: Transaction;
  readonly #ids: Ids;
  readonly #added: Set<string>;
  readonly #removed: Cells;

  constructor(tx: Transaction, change: Change, ids: Ids) {
    this.#tx = tx;
    this.#ids = ids;
    this.#added = new Set(change.added.map(positionOf));
    this.#removed = groupDated(change.removed.map((row) => ({ row, before: true, after: false })));
  }

  async readCells(keys: readonly [subject: string, part: string][]): Promise<Cells> {
    const cells = this.#date(await readCellLogs(this.#tx, this.#ids, keys));
    for (const [subject, part] of keys) this.#addRemoved(cells, subject, part);
    return sorted(cells);
  }

  async readSlots(slots: readonly string[]): Promise<Cells> {
    const cells = this.#date(await readSlotLogs(this.#tx, this.#ids, slots));
    for (const slot of slots) {
      for (const part of this.#removed.get(slot)?.keys() ?? []) this.#addRemoved(cells, slot, part);
    }
    return sorted(cells);
  }

  #date(rows: readonly StoredLog[]): Cells {
    return groupDated(rows.map((row) => ({ row, before: !this.#added.has(positionOf(row)), after: true })));
  }

  #addRemoved(cells: Cells, subject: string, part: string): void {
    for (const log of this.#removed.get(subject)?.get(part) ?? []) cellOf(cells, subject, part).push(log);
  }
}

/** The distinct cells that a change touches, without ignored ops. */
export function touchedCells({ added, removed }: Change): [subject: string, part: string][] {
  const rows = [...added, ...removed].filter((row) => row.part !== IGNORED_PART);
  const cells = groupDated(rows.map((row) => ({ row, before: false, after: false })));
  return [...cells].flatMap(([subject, parts]) => [...parts.keys()].map((part): [string, string] => [subject, part]));
}

/** The records of a slot with their logs, without a record of the account itself, which is no edge. */
export function* recordsOf(cells: Cells, slot: string, account: string): Generator<[Address, DatedLog[]]> {
  for (const [part, logs] of cells.get(slot) ?? []) {
    if (isRecord(part) && part !== account) yield [part, logs];
  }
}

export function datedOps(logs: readonly DatedLog[]): DatedOp[] {
  return logs.map((log) => {
    const { record, opcode, tag } = decodeStoredOp(log.row.payload);
    return { log, record, opcode, tag, time: log.row.block_time };
  });
}

function groupDated(logs: readonly DatedLog[]): Cells {
  const cells: Cells = new Map();
  for (const log of logs) cellOf(cells, log.row.subject, log.row.part).push(log);
  return cells;
}

function cellOf(cells: Cells, subject: string, part: string): DatedLog[] {
  let parts = cells.get(subject);
  if (parts === undefined) cells.set(subject, (parts = new Map()));
  let cell = parts.get(part);
  if (cell === undefined) parts.set(part, (cell = []));
  return cell;
}

function sorted(cells: Cells): Cells {
  for (const parts of cells.values()) {
    for (const logs of parts.values()) {
      if (logs.length > 1) logs.sort((a, b) => comparePositions(a.row, b.row));
    }
  }
  return cells;
}

function comparePositions(a: StoredLog, b: StoredLog): number {
  return a.block_number - b.block_number || a.log_index - b.log_index;
}

/** The unique key of a log. */
export function positionOf(row: Pick<StoredLog, 'chain_id' | 'block_number' | 'log_index'>): string {
  return `${row.chain_id}/${row.block_number}/${row.log_index}`;
}
