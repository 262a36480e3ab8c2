import { type DecodedLogs, decodeLogs } from '../ingest/ingest-logs.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import type { RoleOf } from '../protocol/deployments.ts';
import { type NamedLogRow, namedCell, selectNamedLogs } from '../rows/stored-log.ts';
import type { ChainHeads } from '../rpc/chain-node.ts';
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

interface VerifiedRange {
  readonly from: number;
  readonly to: number;
  /** Number of logs that the node has. */
  readonly logs: number;
  readonly differences: readonly LogDifference[];
  /** All logs that the node has in the blocks with differences. */
  readonly replacement: DecodedLogs;
}

export interface VerifyOptions extends BackfillOptions {
  readonly heads: ChainHeads;
  readonly reader: Reader;
  readonly roleOf: RoleOf;
}

/** What is compared of a log. */
interface Content {
  readonly block: number;
  readonly logIndex: number;
  readonly content: string;
}

/** Compares stored logs with those of a node, for final blocks. A difference counts if the node repeats its answer. */
export function createVerifyRange(options: VerifyOptions) {
  const { node, reader, roleOf, heads } = options;
  return async function* verifyRange(from: number, to: number): AsyncGenerator<VerifiedRange> {
    let start = from;
    for await (const { logs, last } of backfill(options, from, to, heads)) {
      const range = { from: start, to: last.number };
      const stored = (await reader.all(STORED, { chainId: node.chainId, ...range })).map(contentOfRow);
      let found: readonly ChainLog[] = logs;
      let differences = compare(stored, contentsOf(roleOf, found));
      if (differences.length > 0) {
        const first = new Set(differences.map(describeDifference));
        found = await fetchLogs(options, range.from, range.to);
        const again = compare(stored, contentsOf(roleOf, found));
        differences = again.filter((difference) => first.has(describeDifference(difference)));
      }
      const blocks = new Set(differences.map(({ block }) => block));
      const replacement = decodeLogs(
        roleOf,
        found.filter(({ blockNumber }) => blocks.has(blockNumber)),
      );
      yield { ...range, logs: logs.length, differences, replacement };
      start = last.number + 1;
    }
  };
}

async function fetchLogs(options: VerifyOptions, from: number, to: number): Promise<ChainLog[]> {
  let found: ChainLog[] = [];
  for await (const { logs } of backfill(options, from, to, options.heads)) found = found.concat(logs);
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

function contentsOf(roleOf: RoleOf, logs: readonly ChainLog[]): Content[] {
  return decodeLogs(roleOf, logs).decoded.map(({ source, cell }) => ({
    block: source.blockNumber,
    logIndex: source.logIndex,
    content: [cell.subject, cell.part, cell.payload, source.blockTime, source.blockHash].join(' '),
  }));
}

const STORED = statement<{ chainId: number; from: number; to: number }, NamedLogRow>((db) =>
  selectNamedLogs(db)
    .where('logs.chain_id', '=', param<number>('chainId'))
    .where('logs.block_number', '>=', param<number>('from'))
    .where('logs.block_number', '<=', param<number>('to')),
);

function contentOfRow(row: NamedLogRow): Content {
  const { subject, part, payload } = namedCell(row);
  return {
    block: row.block_number,
    logIndex: row.log_index,
    content: [subject, part, payload, row.block_time, row.hash].join(' '),
  };
}
