import { sql } from 'kysely';
import { OtherDeploymentError } from '../errors/other-deployment-error.ts';
import type { Deployment, Role } from '../protocol/deployments.ts';
import { encodeLog } from '../protocol/encode-log.ts';
import { type Address, toQuantity, ZERO_ADDRESS } from '../protocol/hex.ts';
import { MAX_LOG_INDEX, type RawLog } from '../protocol/parse-log.ts';
import { type NamedLogRow, namedCell, selectNamedLogs } from '../rows/stored-log.ts';
import { param } from '../store/params.ts';
import { statement } from '../store/statement.ts';
import type { Reader } from '../store/store.ts';

/** Logs per query: enough to share a round trip, few enough to keep memory low. */
const PAGE = 5_000;

const CHAINS = statement<object, { chain_id: number; finalized: number | null }>((db) =>
  db
    .selectFrom('chains')
    .leftJoin('cursors', 'cursors.chain_id', 'chains.chain_id')
    .select(['chains.chain_id', 'cursors.finalized_number as finalized'])
    .orderBy('chains.chain_id'),
);

interface LogsPage {
  readonly chainId: number;
  readonly block: number;
  readonly index: number;
  readonly last: number;
  readonly limit: number;
}

/** The logs of a chain after a position, up to a block. */
const LOGS = statement<LogsPage, NamedLogRow>((db) =>
  selectNamedLogs(db)
    .where('logs.chain_id', '=', param<number>('chainId'))
    .where(sql<boolean>`(block_number, log_index) > (${param<number>('block')}, ${param<number>('index')})`)
    .where('block_number', '<=', param<number>('last'))
    .orderBy('block_number')
    .orderBy('log_index')
    .limit(param<number>('limit')),
);

/**
 * The stored logs in chain order, in the form that `kith import logs` reads. Logs up to the finalized block are read in
 * pages. A reorg may replace later ones, so those of a chain are read by one query, which is a snapshot.
 */
export async function* exportLogs(reader: Reader, deployment: Deployment): AsyncGenerator<RawLog[]> {
  for (const { chain_id: chainId, finalized } of await reader.all(CHAINS, {})) {
    const toRaw = createEncoder(chainId, deployment);
    let [block, index] = [-1, -1];
    const last = finalized ?? Number.MAX_SAFE_INTEGER;
    for (;;) {
      const rows = await reader.all(LOGS, { chainId, block, index, last, limit: PAGE });
      if (rows.length > 0) yield rows.map(toRaw);
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE) break;
      [block, index] = [end.block_number, end.log_index];
    }
    if (finalized === null) continue;
    const recent = { chainId, block: finalized, index: MAX_LOG_INDEX, last: Number.MAX_SAFE_INTEGER };
    const rows = await reader.all(LOGS, { ...recent, limit: Number.MAX_SAFE_INTEGER });
    if (rows.length > 0) yield rows.map(toRaw);
  }
}

function createEncoder(chainId: number, { name, contracts }: Deployment): (row: NamedLogRow) => RawLog {
  const owners = new Map<string, Address>();
  const contractOf = (role: Role) => {
    const contract = contracts.find((known) => known.chainId === chainId && known.role === role);
    if (contract === undefined) throw new OtherDeploymentError(chainId, name);
    return contract.address;
  };
  return (row) => {
    const cell = namedCell(row);
    const log = encodeLog(cell, contractOf, owners.get(cell.subject) ?? ZERO_ADDRESS);
    if (cell.part === 'owner') owners.set(cell.subject, cell.payload);
    if (row.hash === null) throw new Error(`block ${row.block_number} of chain ${chainId} has a log but no hash`);
    return {
      chainId,
      blockNumber: toQuantity(row.block_number),
      blockHash: row.hash,
      blockTimestamp: toQuantity(row.block_time),
      logIndex: toQuantity(row.log_index),
      ...log,
    };
  };
}
