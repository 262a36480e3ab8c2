import { settleAll } from '../async/settle-all.ts';
import { BadInputError } from '../errors/bad-input.ts';
import { type CellWrite, type ChainLog, decodeLog } from '../protocol/decode-log.ts';
import type { RoleOf } from '../protocol/deployments.ts';
import { positionOf } from '../rows/cells.ts';
import { Ids } from '../rows/ids.ts';
import { isIgnoredOp, isOp, logRow, type StoredLog, subjectKey } from '../rows/stored-log.ts';
import type { Row } from '../store/schema.ts';
import { requireDemo, requireNoDemo } from '../store/state.ts';
import type { Transaction } from '../store/store.ts';
import { applyChange } from './apply-change.ts';
import { sameRow } from './row-diff.ts';

export interface Ingested {
  /** Number of logs that were not stored before. */
  readonly added: number;
  /** Number of ignored logs and ops by reason. */
  readonly ignored: ReadonlyMap<string, number>;
}

interface DecodedLog {
  readonly source: ChainLog;
  readonly cell: CellWrite;
}

export interface DecodedLogs {
  /** Whether the logs are generated ones of a demo graph. */
  readonly isDemo?: boolean;
  readonly decoded: readonly DecodedLog[];
  /** Number of ignored logs and ops by reason. */
  readonly ignored: ReadonlyMap<string, number>;
}

/** Logs that were not stored before, and their rows. */
export interface FreshLogs {
  readonly logs: readonly DecodedLog[];
  readonly rows: readonly Row<'logs'>[];
}

/** Stores logs, in any order, and applies them to the graph. */
export async function ingestLogs(tx: Transaction, logs: DecodedLogs): Promise<Ingested> {
  const ids = new Ids();
  const { fresh, ...ingested } = await storeLogs(tx, ids, logs);
  const added = fresh.logs.map(({ source, cell: { subject, part, payload } }): StoredLog => {
    return { ...positionIn(source), subject, part, payload };
  });
  await applyChange(tx, { added, removed: [] }, ids);
  // Counted when the logs are folded, so that it is a number of the same graph as the others.
  await tx.count({ list_ops: fresh.rows.filter(isOp).length });
  return ingested;
}

/**
 * Stores logs without folding them. The caller has to apply the fresh ones to the graph, or to rebuild it. All logs are
 * stored here, so that no order of commands mixes real logs with generated ones.
 */
export async function storeLogs(
  tx: Transaction,
  ids: Ids,
  { decoded, ignored, isDemo = false }: DecodedLogs,
): Promise<Ingested & { fresh: FreshLogs }> {
  await (isDemo ? requireDemo(tx) : requireNoDemo(tx));
  const keys: string[] = [];
  for (const { cell } of decoded) {
    keys.push(subjectKey(cell.subject));
    if (cell.op !== undefined) keys.push(cell.op.record);
  }
  await ids.prepare(tx, keys);
  const newRows = ids.number(keys);
  const rows = decoded.map(({ source, cell }) => logRow(ids, positionIn(source), cell));
  const blocks = blocksOf(decoded);
  // Concurrent, so that the database is busy while the caller prepares the next batch.
  const [added] = await settleAll([
    tx.insertNew('logs', rows),
    // The bulk fold of a load into an empty database writes all of them.
    ids.isComplete ? Promise.resolve() : ids.insert(tx, newRows),
    writeBlocks(tx, blocks),
    writeHighest(tx, blocks.values()),
  ]);
  let fresh: FreshLogs = { logs: decoded, rows };
  if (added.length < rows.length) {
    await checkKnown(tx, rows, decoded);
    const isNew = new Set(added);
    const isFresh = (_: unknown, i: number) => isNew.has(rows[i] as Row<'logs'>);
    fresh = { logs: decoded.filter(isFresh), rows: rows.filter(isFresh) };
  }
  await tx.count({ logs: added.length, ignored_ops: added.filter(isIgnoredOp).length });
  return { fresh, added: added.length, ignored };
}

export function decodeLogs(roleOf: RoleOf, logs: readonly ChainLog[]): DecodedLogs {
  const decoded: DecodedLog[] = [];
  const ignored = new Map<string, number>();
  for (const source of logs) {
    const cell = decodeLog(roleOf, source);
    const reason = cell.kind === 'ignored' ? cell.reason : cell.ignored;
    if (reason !== undefined) ignored.set(reason, (ignored.get(reason) ?? 0) + 1);
    if (cell.kind === 'write') decoded.push({ source, cell });
  }
  return { decoded, ignored };
}

function positionIn({ chainId, blockNumber, blockTime, logIndex }: ChainLog) {
  return { chain_id: chainId, block_number: blockNumber, block_time: blockTime, log_index: logIndex };
}

/** The blocks of logs, by chain and number. Rejects a second hash for a height: that log belongs to another branch. */
function blocksOf(logs: readonly DecodedLog[]): Map<string, ChainLog> {
  const blocks = new Map<string, ChainLog>();
  let last: ChainLog | undefined;
  for (const { source: log } of logs) {
    // Logs are usually grouped by block.
    if (isSameBlock(last, log)) continue;
    last = log;
    const seen = blocks.get(`${log.chainId}/${log.blockNumber}`);
    if (seen === undefined) blocks.set(`${log.chainId}/${log.blockNumber}`, log);
    else checkBlock(blockOf(seen), log);
  }
  return blocks;
}

/** Stores the blocks that are new. The others must be the stored ones. */
async function writeBlocks(tx: Transaction, blocks: ReadonlyMap<string, ChainLog>): Promise<void> {
  const rows = [...blocks.values()].map(blockOf);
  const added = await tx.insertNew('blocks', rows);
  if (added.length === rows.length) return;
  const isNew = new Set(added);
  const keys = rows.filter((block) => !isNew.has(block)).map((block) => [block.chain_id, block.number]);
  for (const stored of await tx.read('blocks', ['chain_id', 'number'], keys)) {
    const given = blocks.get(`${stored.chain_id}/${stored.number}`);
    if (given !== undefined) checkBlock(stored, given);
  }
}

function isSameBlock(a: ChainLog | undefined, b: ChainLog): boolean {
  return (
    a?.blockHash === b.blockHash &&
    a.blockTime === b.blockTime &&
    a.blockNumber === b.blockNumber &&
    a.chainId === b.chainId
  );
}

function blockOf({ chainId, blockNumber, blockHash, blockTime }: ChainLog): Row<'blocks'> {
  return { chain_id: chainId, number: blockNumber, hash: blockHash, time: blockTime };
}

function checkBlock(known: Row<'blocks'>, log: ChainLog): void {
  if (known.hash === log.blockHash && known.time === log.blockTime) return;
  throw new BadInputError(
    `block ${known.number} of chain ${known.chain_id} is stored with hash ${known.hash} and time ${known.time}, but this log has ${log.blockHash} and ${log.blockTime}`,
    log,
  );
}

/** Rejects a different log at a stored position; ignoring it would keep whichever was stored first. */
async function checkKnown(tx: Transaction, rows: readonly Row<'logs'>[], logs: readonly DecodedLog[]): Promise<void> {
  const keys = rows.map((row) => [row.chain_id, row.block_number, row.log_index]);
  const stored = await tx.read('logs', ['chain_id', 'block_number', 'log_index'], keys);
  const byPosition = new Map(stored.map((row) => [positionOf(row), row]));
  rows.forEach((row, i) => {
    const known = byPosition.get(positionOf(row));
    const isSame = known !== undefined && sameRow(known, row);
    if (isSame) return;
    throw new BadInputError(
      `log ${row.log_index} of block ${row.block_number} of chain ${row.chain_id} is stored with different content`,
      logs[i]?.source,
    );
  });
}

/** Stores the highest block of each chain. */
async function writeHighest(tx: Transaction, blocks: Iterable<ChainLog>): Promise<void> {
  const highest = new Map<number, ChainLog>();
  for (const log of blocks) {
    const known = highest.get(log.chainId);
    if (known === undefined || log.blockNumber > known.blockNumber) highest.set(log.chainId, log);
  }
  for (const stored of await tx.readBy('chains', 'chain_id', [...highest.keys()])) {
    const given = highest.get(stored.chain_id);
    if (given !== undefined && given.blockNumber <= stored.block_number) highest.delete(stored.chain_id);
  }
  await tx.upsert(
    'chains',
    [...highest.values()].map((log) => ({
      chain_id: log.chainId,
      block_number: log.blockNumber,
      block_hash: log.blockHash,
      block_time: log.blockTime,
    })),
  );
}
