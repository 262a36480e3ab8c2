import { BadInputError } from '../bad-input.ts';
import { type ChainLog, decodeLog, type IgnoredLog } from '../protocol/decode-log.ts';
import type { RoleOf } from '../protocol/deployments.ts';
import { bufferToHex, hexToBuffer } from '../protocol/hex.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import { applyChange } from './apply-change.ts';

export interface Ingested {
  readonly added: number;
  /** Logs that were there already. */
  readonly known: number;
  readonly ignored: ReadonlyMap<IgnoredLog['reason'], number>;
}

/** Stores logs, whatever their order, and brings the graph up to them. */
export async function ingestLogs(tx: Transaction, roleOf: RoleOf, logs: readonly ChainLog[]): Promise<Ingested> {
  const rows: Row<'logs'>[] = [];
  const sources: ChainLog[] = [];
  const ignored = new Map<IgnoredLog['reason'], number>();
  for (const log of logs) {
    const decoded = decodeLog(roleOf, log);
    if (decoded.kind === 'ignored') {
      ignored.set(decoded.reason, (ignored.get(decoded.reason) ?? 0) + 1);
      continue;
    }
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
  if (added.length < rows.length) await checkKnown(tx, rows);
  await tx.count({ logs: added.length });
  await writeCursors(tx, sources);
  await applyChange(tx, { added, removed: [] });
  return { added: added.length, known: rows.length - added.length, ignored };
}

/** Records the blocks, and refuses a second hash for a height: that log is of another branch of its chain. */
async function writeBlocks(tx: Transaction, logs: readonly ChainLog[]): Promise<void> {
  const blocks = new Map<string, Row<'blocks'>>();
  for (const { chainId, blockNumber, blockHash, blockTime } of logs) {
    const key = `${chainId}/${blockNumber}`;
    const block = { chain_id: chainId, number: blockNumber, hash: blockHash, time: blockTime };
    const seen = blocks.get(key);
    if (seen === undefined) blocks.set(key, block);
    else checkBlock(seen, block);
  }
  const rows = [...blocks.values()];
  const added = await tx.insertNew('blocks', rows);
  if (added.length === rows.length) return;
  const keys = rows.map((block) => [block.chain_id, block.number]);
  for (const stored of await tx.read('blocks', ['chain_id', 'number'], keys)) {
    const given = blocks.get(`${stored.chain_id}/${stored.number}`);
    if (given !== undefined) checkBlock(stored, given);
  }
}

function checkBlock(known: Row<'blocks'>, given: Row<'blocks'>): void {
  if (known.hash === given.hash && known.time === given.time) return;
  throw new BadInputError(
    `block ${given.number} of chain ${given.chain_id} is known with hash ${known.hash} and time ${known.time}, but a log says ${given.hash} and ${given.time}`,
  );
}

/** The same position must mean the same log: silence here would keep whichever came first. */
async function checkKnown(tx: Transaction, rows: readonly Row<'logs'>[]): Promise<void> {
  const keys = rows.map((row) => [row.chain_id, row.block_number, row.log_index]);
  const stored = await tx.read('logs', ['chain_id', 'block_number', 'log_index'], keys);
  const positionOf = (row: Row<'logs'>) => `${row.chain_id}/${row.block_number}/${row.log_index}`;
  const byPosition = new Map(stored.map((row) => [positionOf(row), row]));
  for (const row of rows) {
    const known = byPosition.get(positionOf(row));
    const same =
      known?.subject === row.subject &&
      known.part === row.part &&
      bufferToHex(known.payload) === bufferToHex(row.payload);
    if (!same) {
      throw new BadInputError(
        `log ${row.log_index} of block ${row.block_number} of chain ${row.chain_id} is known with other content`,
      );
    }
  }
}

/** Moves each chain's cursor up to its highest block. */
async function writeCursors(tx: Transaction, logs: readonly ChainLog[]): Promise<void> {
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
