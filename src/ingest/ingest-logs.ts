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
  const blocks = blocksOf(decoded);
  const [highest] = await settleAll([readHighest(tx, blocks.values()), ids.prepare(tx, keys)]);
  const newRows = ids.number(keys);
  const rows = decoded.map(({ source, cell }) => logRow(ids, positionIn(source), cell));
  const { appended, others } = splitAppended(rows, highest);
  // Concurrent, so that the database is busy while the caller prepares the next batch.
  const [inserted] = await settleAll([
    tx.insert('logs', appended).then(() => tx.insertNew('logs', others)),
    // The bulk fold of a load into an empty database writes all of them.
    ids.isComplete ? Promise.resolve() : ids.insert(tx, newRows),
    writeBlocks(tx, blocks, highest),
    writeHighest(tx, blocks.values(), highest),
  ]);
  const added = [...appended, ...inserted];
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

/** The number of the highest stored block, by chain. */
type Highest = ReadonlyMap<number, number>;

async function readHighest(tx: Transaction, blocks: Iterable<ChainLog>): Promise<Highest> {
  const chains = new Set(Array.from(blocks, ({ chainId }) => chainId));
  const stored = await tx.readBy('chains', 'chain_id', [...chains]);
  return new Map(stored.map(({ chain_id, block_number }) => [chain_id, block_number]));
}

const isAbove = (highest: Highest, chainId: number, block: number) => block > (highest.get(chainId) ?? -1);

/**
 * The logs above all stored blocks, as far as they are in order: no other log has their position, so that they need not be
 * compared with stored ones.
 */
function splitAppended(rows: readonly Row<'logs'>[], highest: Highest) {
  const appended: Row<'logs'>[] = [];
  const others: Row<'logs'>[] = [];
  const last = new Map<number, Row<'logs'>>();
  for (const row of rows) {
    const before = last.get(row.chain_id);
    const isAfter =
      before === undefined
        ? isAbove(highest, row.chain_id, row.block_number)
        : row.block_number > before.block_number ||
          (row.block_number === before.block_number && row.log_index > before.log_index);
    if (isAfter) last.set(row.chain_id, row);
    (isAfter ? appended : others).push(row);
  }
  return { appended, others };
}

/** Stores the blocks that are new. The others must be the stored ones. */
async function writeBlocks(tx: Transaction, blocks: ReadonlyMap<string, ChainLog>, highest: Highest): Promise<void> {
  const { above = [], rows = [] } = Object.groupBy(Array.from(blocks.values(), blockOf), ({ chain_id, number }) =>
    isAbove(highest, chain_id, number) ? 'above' : 'rows',
  );
  await tx.insert('blocks', above);
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
async function writeHighest(tx: Transaction, blocks: Iterable<ChainLog>, stored: Highest): Promise<void> {
  const higher = new Map<number, ChainLog>();
  for (const log of blocks) {
    const known = higher.get(log.chainId)?.blockNumber ?? stored.get(log.chainId) ?? -1;
    if (log.blockNumber > known) higher.set(log.chainId, log);
  }
  await tx.upsert(
    'chains',
    [...higher.values()].map((log) => ({
      chain_id: log.chainId,
      block_number: log.blockNumber,
      block_hash: log.blockHash,
      block_time: log.blockTime,
    })),
  );
}
