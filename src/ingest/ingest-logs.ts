import { BadInputError } from '../bad-input.ts';
import { type ChainLog, decodeLog, IGNORED_PART } from '../protocol/decode-log.ts';
import type { RoleOf } from '../protocol/deployments.ts';
import { bufferToHex, hexToBuffer } from '../protocol/hex.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import { applyChange } from './apply-change.ts';
import { positionOf } from './change.ts';

export interface Ingested {
  readonly added: number;
  /** Logs that were there already. */
  readonly known: number;
  /** Logs and ops that mean nothing, by why. */
  readonly ignored: ReadonlyMap<string, number>;
}

/** Stores logs, whatever their order, and brings the graph up to them. */
export async function ingestLogs(tx: Transaction, roleOf: RoleOf, logs: readonly ChainLog[]): Promise<Ingested> {
  const { rows, ...ingested } = await storeLogs(tx, roleOf, logs);
  await applyChange(tx, { added: rows, removed: [] });
  return ingested;
}

/** Stores logs without folding them: the graph must be rebuilt before it is right again. */
export async function storeUnfolded(tx: Transaction, roleOf: RoleOf, logs: readonly ChainLog[]): Promise<Ingested> {
  const { rows, ...ingested } = await storeLogs(tx, roleOf, logs);
  await tx.count({ unfolded_logs: rows.length });
  return ingested;
}

async function storeLogs(
  tx: Transaction,
  roleOf: RoleOf,
  logs: readonly ChainLog[],
): Promise<Ingested & { rows: Row<'logs'>[] }> {
  const rows: Row<'logs'>[] = [];
  const sources: ChainLog[] = [];
  const ignored = new Map<string, number>();
  for (const log of logs) {
    const decoded = decodeLog(roleOf, log);
    const reason = decoded.kind === 'ignored' ? decoded.reason : decoded.ignored;
    if (reason !== undefined) ignored.set(reason, (ignored.get(reason) ?? 0) + 1);
    if (decoded.kind === 'ignored') continue;
    sources.push(log);
    rows.push({
      subject: decoded.subject,
      part: decoded.part,
      block_number: log.blockNumber,
      log_index: log.logIndex,
      chain_id: log.chainId,
      block_time: log.blockTime,
      payload: hexToBuffer(decoded.payload),
    });
  }
  await writeBlocks(tx, sources);
  const added = await tx.insertNew('logs', rows);
  if (added.length < rows.length) await checkKnown(tx, rows, sources);
  await tx.count({
    logs: added.length,
    ignored_ops: added.filter((row) => row.part === IGNORED_PART).length,
  });
  await writeHighest(tx, sources);
  return { rows: added, added: added.length, known: rows.length - added.length, ignored };
}

/** Records the blocks, and refuses a second hash for a height: that log is of another branch of its chain. */
async function writeBlocks(tx: Transaction, logs: readonly ChainLog[]): Promise<void> {
  const blocks = new Map<string, ChainLog>();
  for (const log of logs) {
    const seen = blocks.get(`${log.chainId}/${log.blockNumber}`);
    if (seen === undefined) blocks.set(`${log.chainId}/${log.blockNumber}`, log);
    else checkBlock(blockOf(seen), log);
  }
  const rows = [...blocks.values()].map(blockOf);
  const added = await tx.insertNew('blocks', rows);
  if (added.length === rows.length) return;
  const keys = rows.map((block) => [block.chain_id, block.number]);
  for (const stored of await tx.read('blocks', ['chain_id', 'number'], keys)) {
    const given = blocks.get(`${stored.chain_id}/${stored.number}`);
    if (given !== undefined) checkBlock(stored, given);
  }
}

function blockOf({ chainId, blockNumber, blockHash, blockTime }: ChainLog): Row<'blocks'> {
  return { chain_id: chainId, number: blockNumber, hash: blockHash, time: blockTime };
}

function checkBlock(known: Row<'blocks'>, log: ChainLog): void {
  if (known.hash === log.blockHash && known.time === log.blockTime) return;
  throw new BadInputError(
    `block ${known.number} of chain ${known.chain_id} is known with hash ${known.hash} and time ${known.time}, but this log says ${log.blockHash} and ${log.blockTime}`,
    log,
  );
}

/** The same position must mean the same log: silence here would keep whichever came first. */
async function checkKnown(tx: Transaction, rows: readonly Row<'logs'>[], logs: readonly ChainLog[]): Promise<void> {
  const keys = rows.map((row) => [row.chain_id, row.block_number, row.log_index]);
  const stored = await tx.read('logs', ['chain_id', 'block_number', 'log_index'], keys);
  const byPosition = new Map(stored.map((row) => [positionOf(row), row]));
  rows.forEach((row, i) => {
    const known = byPosition.get(positionOf(row));
    const isSame =
      known?.subject === row.subject &&
      known.part === row.part &&
      bufferToHex(known.payload) === bufferToHex(row.payload);
    if (isSame) return;
    throw new BadInputError(
      `log ${row.log_index} of block ${row.block_number} of chain ${row.chain_id} is known with other content`,
      logs[i],
    );
  });
}

/** Remembers the highest block of each chain. */
async function writeHighest(tx: Transaction, logs: readonly ChainLog[]): Promise<void> {
  const highest = new Map<number, ChainLog>();
  for (const log of logs) {
    const known = highest.get(log.chainId);
    if (known === undefined || log.blockNumber > known.blockNumber) highest.set(log.chainId, log);
  }
  const keys = [...highest.keys()].map((chainId) => [chainId]);
  for (const stored of await tx.read('chains', ['chain_id'], keys)) {
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
