import { decodeLogs } from '../ingest/ingest-logs.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import type { RoleOf } from '../protocol/deployments.ts';
import { parseSlotKey, type SlotKey } from '../protocol/register-values.ts';
import { isPart, type NamedLogRow, namedCell, selectNamedLogs } from '../rows/stored-log.ts';
import { param } from '../store/params.ts';
import { statement } from '../store/statement.ts';
import type { Reader } from '../store/store.ts';
import { type BackfillOptions, backfill } from './backfill.ts';

/** A stored log that the node does not have, or the other way round, or both with different content. */
interface LogDifference {
  readonly kind: 'missing' | 'wrong' | 'extra';
  readonly block: number;
  readonly logIndex: number;
}

export interface VerifyOptions extends BackfillOptions {
  /** The logs that are compared with those of the node. */
  readonly readStored: (range: { readonly from: number; readonly to: number }) => Promise<readonly Content[]>;
  readonly roleOf: RoleOf;
}

/** What is compared of a log. */
export interface Content {
  readonly block: number;
  readonly logIndex: number;
  readonly content: string;
}

/** Compares stored logs with those of a node, for final blocks. A difference counts if the node repeats its answer. */
export async function* verifyRange(options: VerifyOptions, from: number, to: number) {
  const { readStored, roleOf } = options;
  let start = from;
  for await (const { logs, last } of backfill(options, { from, to, after: null })) {
    const range = { from: start, to: last.number };
    const stored = await readStored(range);
    let found: readonly ChainLog[] = logs;
    let differences = compare(stored, contentsOf(roleOf, found));
    if (differences.length > 0) {
      const first = new Set(differences.map(describeDifference));
      found = await fetchLogs(options, range.from, range.to);
      const again = compare(stored, contentsOf(roleOf, found));
      differences = again.filter((difference) => first.has(describeDifference(difference)));
    }
    const blocks = new Set(differences.map(({ block }) => block));
    /** All logs that the node has in the blocks with differences. */
    const replacement = decodeLogs(
      roleOf,
      found.filter(({ blockNumber }) => blocks.has(blockNumber)),
    );
    yield { ...range, logs: logs.length, differences, replacement };
    start = last.number + 1;
  }
}

async function fetchLogs(options: VerifyOptions, from: number, to: number): Promise<ChainLog[]> {
  let found: ChainLog[] = [];
  for await (const { logs } of backfill(options, { from, to, after: null })) found = found.concat(logs);
  return found;
}

export function describeDifference({ kind, block, logIndex }: LogDifference): string {
  return `block ${block}, log ${logIndex}: ${kind}`;
}

function compare(stored: readonly Content[], found: readonly Content[]): LogDifference[] {
  const keyOf = ({ block, logIndex }: Content) => `${block}/${logIndex}`;
  const byPosition = new Map(stored.map((log) => [keyOf(log), log]));
  const differences: LogDifference[] = [];
  for (const log of found) {
    const { block, logIndex, content } = log;
    const known = byPosition.get(keyOf(log));
    byPosition.delete(keyOf(log));
    if (known?.content === content) continue;
    differences.push({ kind: known === undefined ? 'missing' : 'wrong', block, logIndex });
  }
  for (const { block, logIndex } of byPosition.values()) differences.push({ kind: 'extra', block, logIndex });
  return differences.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
}

export function contentsOf(roleOf: RoleOf, logs: readonly ChainLog[]): Content[] {
  return decodeLogs(roleOf, logs).decoded.map(({ source, cell }) => ({
    block: source.blockNumber,
    logIndex: source.logIndex,
    content: [
      ...[cell.subject, cell.part, cell.op?.opcode ?? 0, cell.payload],
      ...[source.blockTime, source.blockHash, source.blockTime],
    ].join(' '),
  }));
}

interface StoredRow extends NamedLogRow {
  /** Of the row of the block. */
  readonly hashed_time: number | null;
}

const STORED = statement<{ chainId: number; from: number; to: number }, StoredRow>((db) =>
  selectNamedLogs(db)
    .select('blocks.time as hashed_time')
    .where('logs.chain_id', '=', param<number>('chainId'))
    .where('logs.block_number', '>=', param<number>('from'))
    .where('logs.block_number', '<=', param<number>('to')),
);

/** Logs of contracts that have no role are left out: they were added, and are not indexed any more, or not completely. */
export function createReadStored(reader: Reader, chainId: number, roleOf: RoleOf): VerifyOptions['readStored'] {
  const isCompared = ({ slot }: StoredRow) =>
    slot === null || roleOf(chainId, parseSlotKey(slot as SlotKey).contract) !== undefined;
  return async (range) => (await reader.all(STORED, { chainId, ...range })).filter(isCompared).map(contentOfRow);
}

function contentOfRow(row: StoredRow): Content {
  const { block_number: block, log_index: logIndex, opcode, block_time, hash, hashed_time } = row;
  // A damaged row differs from all that a node can return.
  if (row.record === null && !isPart(row.part)) return { block, logIndex, content: 'damaged' };
  const { subject, part, payload } = namedCell(row);
  return { block, logIndex, content: [subject, part, opcode, payload, block_time, hash, hashed_time].join(' ') };
}
