import { sql } from 'kysely';
import { CommandError, OtherDeploymentError } from '../errors/operator-error.ts';
import { type Contract, contractsOn, type Deployment, type Role } from '../protocol/deployments.ts';
import { encodeLog } from '../protocol/encode-log.ts';
import { type Address, toQuantity, ZERO_ADDRESS } from '../protocol/hex.ts';
import type { RawLog } from '../protocol/parse-log.ts';
import { type NamedLogRow, namedCell, selectNamedLogs } from '../rows/stored-log.ts';
import { readIncomplete } from '../store/incomplete-contracts.ts';
import { param } from '../store/params.ts';
import type { Row } from '../store/schema.ts';
import { statement } from '../store/statement.ts';
import type { Reader } from '../store/store.ts';
import type { SnapshotChain } from './snapshot-header.ts';

/** Logs per query: enough to share a round trip, few enough to keep memory low. */
const PAGE = 5_000;

interface StoredChain {
  readonly chain_id: number;
  /** Null, as the others, if the chain was never indexed. */
  readonly start_block: number | null;
  readonly contracts: string | null;
  readonly final: number | null;
  readonly final_hash: string | null;
}

/** The chains with logs or a cursor. The oldest recent block is the last final one. */
const CHAINS = statement<object, StoredChain>((db) =>
  db
    .selectFrom(
      db.selectFrom('chains').select('chain_id').union(db.selectFrom('cursors').select('chain_id')).as('known'),
    )
    .leftJoin('cursors', 'cursors.chain_id', 'known.chain_id')
    .leftJoin('indexed_contracts', 'indexed_contracts.chain_id', 'cursors.chain_id')
    .leftJoin('recent_blocks', (join) =>
      join.onRef('recent_blocks.chain_id', '=', 'cursors.chain_id').on('recent_blocks.number', '=', (eb) =>
        eb
          .selectFrom('recent_blocks as oldest')
          .select((min) => min.fn.min('oldest.number').as('number'))
          .whereRef('oldest.chain_id', '=', 'cursors.chain_id'),
      ),
    )
    .select([
      'known.chain_id',
      'indexed_contracts.start_block',
      'indexed_contracts.contracts',
      'recent_blocks.number as final',
      'recent_blocks.hash as final_hash',
    ])
    .orderBy('known.chain_id'),
);

/** The logs of a chain after a position, up to a block. */
const LOGS = statement<{ chainId: number; block: number; index: number; last: number }, NamedLogRow>((db) =>
  selectNamedLogs(db)
    .where('logs.chain_id', '=', param<number>('chainId'))
    .where(sql<boolean>`(block_number, log_index) > (${param<number>('block')}, ${param<number>('index')})`)
    .where('block_number', '<=', param<number>('last'))
    .orderBy('block_number')
    .orderBy('log_index')
    .limit(PAGE),
);

type Tail = Pick<Row<'cursors'>, 'number' | 'time'> & { readonly cursor_hash: string } & (
    | NamedLogRow
    | { readonly block_number: null }
  );

/** The cursor of a chain with each log after a final block; without a log if there is none. */
const TAIL = statement<{ chainId: number; final: number }, Tail>((db) =>
  db
    .selectFrom('cursors')
    .leftJoin(
      selectNamedLogs(db)
        .where('logs.chain_id', '=', param<number>('chainId'))
        .where('logs.block_number', '>', param<number>('final'))
        .as('tail'),
      (join) => join.onRef('tail.block_number', '<=', 'cursors.number'),
    )
    .where('cursors.chain_id', '=', param<number>('chainId'))
    .select(['cursors.number', 'cursors.time', 'cursors.hash as cursor_hash'])
    .selectAll('tail')
    .orderBy('tail.block_number')
    .orderBy('tail.log_index')
    // Safe: all columns of `tail` are null if `block_number` is.
    .$castTo<Tail>(),
);

/**
 * The stored logs in chain order, in the form that `kith import logs` reads, up to the cursor of each chain. Logs up to
 * the final block are read in pages. A reorg may replace later ones, so those of a chain are read by one query together
 * with the cursor, which is a snapshot. `onChain` is called after the logs of a chain.
 */
export async function* exportLogs(
  reader: Reader,
  deployment: Deployment,
  onChain: (chain: SnapshotChain) => void,
): AsyncGenerator<RawLog[]> {
  for (const chain of await reader.all(CHAINS, {})) {
    const { chain_id: chainId, start_block: startBlock, final, final_hash } = chain;
    await requireComplete(reader, deployment, chain);
    const toRaw = createEncoder(chainId, deployment);
    const isIndexed = startBlock !== null && final !== null && final_hash !== null;
    let [block, index] = [-1, -1];
    const last = isIndexed ? final : Number.MAX_SAFE_INTEGER;
    for (;;) {
      const rows = await reader.all(LOGS, { chainId, block, index, last });
      if (rows.length > 0) yield rows.map(toRaw);
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE) break;
      [block, index] = [end.block_number, end.log_index];
    }
    if (!isIndexed) {
      onChain({ chainId, cursor: null });
      continue;
    }
    const tail = await reader.all(TAIL, { chainId, final });
    const [cursor] = tail;
    // `kith rewind` removed final blocks that were written already.
    if (cursor === undefined || cursor.number < final) {
      const message = `chain ${chainId} was rewound below block ${final} while it was exported; export it again`;
      throw new CommandError('E_OUTPUT', message);
    }
    const rows = tail.filter((row) => row.block_number !== null);
    if (rows.length > 0) yield rows.map(toRaw);
    const { number, cursor_hash: hash, time } = cursor;
    onChain({ chainId, cursor: { number, hash, time, startBlock, final: { number: final, hash: final_hash } } });
  }
}

/** The header says that the logs of all contracts are in the snapshot: what is missing would never be read again. */
async function requireComplete(reader: Reader, deployment: Deployment, { chain_id, contracts }: StoredChain) {
  const [incomplete] = await readIncomplete(reader, chain_id);
  if (incomplete !== undefined) {
    const message = `the logs of ${incomplete.address} on chain ${chain_id} are still being read; /status says how far`;
    throw new CommandError('E_OUTPUT', message);
  }
  const unknown = contractsOn(deployment, chain_id).find(
    ({ address, startBlock }) => startBlock !== undefined && contracts?.includes(address) === false,
  );
  if (unknown === undefined) return;
  const message = `${unknown.address} on chain ${chain_id} is configured, but not indexed yet: run the indexer with this setting, or remove it`;
  throw new CommandError('E_OUTPUT', message);
}

function createEncoder(chainId: number, { name, contracts }: Deployment): (row: NamedLogRow) => RawLog {
  const owners = new Map<string, Address>();
  const find = (isWanted: (contract: Contract) => boolean): Address => {
    const contract = contracts.find((known) => known.chainId === chainId && isWanted(known));
    if (contract === undefined) throw new OtherDeploymentError(chainId, name);
    return contract.address;
  };
  const contractOf = (role: Role) => find((contract) => contract.role === role);
  return (row) => {
    const cell = namedCell(row);
    const log = encodeLog(cell, contractOf, owners.get(cell.subject) ?? ZERO_ADDRESS);
    find(({ address }) => address === log.address);
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
