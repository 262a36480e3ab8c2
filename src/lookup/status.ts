import { sql } from 'kysely';
import { isRecent, type UnixMs } from '../async/unix-time.ts';
import type { Status } from '../contract/status-schema.ts';
import { readIncomplete } from '../store/incomplete-contracts.ts';
import type { Row } from '../store/schema.ts';
import { findStaleRanks, readState } from '../store/state.ts';
import { statement } from '../store/statement.ts';
import type { Reader, Store } from '../store/store.ts';
import type { StateKey } from '../store/versions.ts';

/** Where profiles and badges come from, besides imports. */
export type SourceKinds = Status['sources'];
type ChainStatus = Status['chains'][number];

type Cursor = Row<'cursors'>;
/** A chain that is or was indexed, with its first block. */
type IndexedChain = Pick<Row<'indexed_contracts'>, 'chain_id' | 'start_block' | 'is_indexed'>;
/** The last known block of a chain. */
type Last = Pick<Cursor, 'chain_id' | 'number' | 'hash' | 'time'>;

/** An indexer that has written nothing for this long may not be running, so that its estimate does not hold. */
const MAX_SILENCE_MS = 120_000;

const HIGHEST = statement((db) =>
  db.selectFrom('chains').select(['chain_id', 'block_number as number', 'block_hash as hash', 'block_time as time']),
);
const CURSORS = statement((db) => db.selectFrom('cursors').selectAll());
const INDEXED_CHAINS = statement((db) =>
  db.selectFrom('indexed_contracts').select(['chain_id', 'start_block', 'is_indexed']).orderBy('chain_id'),
);
const FAULTS = statement((db) => db.selectFrom('chain_faults').selectAll().orderBy('chain_id'));

export const IS_LOADED = statement((db) =>
  db.selectFrom('state').select('value').where('key', '=', sql.lit<StateKey>('is_loaded')),
);

/** Whether the graph is complete up to some block of each chain. */
export async function readIsLoaded(reader: Reader): Promise<boolean> {
  return (await reader.all(IS_LOADED, {}))[0]?.value === 1;
}

/** The state of the database. Counts are stored, so it takes the same time for any size of the graph. */
export function createStatusLookup(
  { engine, reader, readFault }: Pick<Store, 'engine' | 'reader' | 'readFault'>,
  sources: SourceKinds,
): (now: number) => Promise<Status> {
  return async (now) => {
    const numberOf = await readState(reader);
    const madeAt = numberOf('ranked_at');
    const chains = new Map<number, ChainStatus>();
    for (const chain of await reader.all(HIGHEST, {})) chains.set(chain.chain_id, statusNotIndexed(chain));
    const known = await reader.all(INDEXED_CHAINS, {});
    const reading = Map.groupBy(await readIncomplete(reader), (row) => row.chain_id);
    const isIndexed = new Map(known.map(({ chain_id, is_indexed }) => [chain_id, is_indexed === 1]));
    const cursors = await reader.all(CURSORS, {});
    for (const cursor of cursors) {
      const current = isIndexed.get(cursor.chain_id) ?? true;
      const chain = current ? statusOfIndexed(cursor, now) : statusNotIndexed(cursor);
      const added = (reading.get(cursor.chain_id) ?? []).map(({ address, number, target }) => ({
        address,
        number,
        target,
      }));
      chains.set(cursor.chain_id, { ...chain, reading: added });
    }
    const fault = await readFault();
    const isLoading = numberOf('is_loaded') === 0;
    return {
      engine,
      isDemo: numberOf('is_demo') === 1,
      isLoading,
      loading: isLoading ? loadingOf(known, cursors, numberOf('load_ends_at'), now) : null,
      dataVersion: numberOf('data_version'),
      counts: {
        logs: numberOf('logs'),
        unfoldedLogs: numberOf('unfolded_logs'),
        ignoredOps: numberOf('ignored_ops'),
        lists: numberOf('lists'),
        accounts: numberOf('accounts'),
        follows: numberOf('follows'),
        ranked: numberOf('ranked'),
      },
      ranksMadeAt: madeAt === 0 ? null : new Date(Math.min(madeAt, now)).toISOString(),
      chains: [...chains.values()].sort((a, b) => a.chainId - b.chainId),
      chainsNotIndexed: known.filter(({ is_indexed }) => is_indexed === 0).map(({ chain_id }) => chain_id),
      faults: (await reader.all(FAULTS, {})).map(({ chain_id, code, message, since }) => ({
        chainId: chain_id,
        code,
        message,
        since: new Date(Math.min(since, now)).toISOString(),
      })),
      databaseFault: fault && { code: fault.code, message: fault.message },
      sources,
    };
  };
}

/** A chain whose logs were imported, or that is no longer indexed. */
function statusNotIndexed({ chain_id, number, hash, time }: Last): ChainStatus {
  const indexed = { number, hash, timestamp: time };
  return { chainId: chain_id, indexed, head: null, finalized: null, lagBlocks: null, reading: [], lagSeconds: null };
}

function statusOfIndexed(cursor: Cursor, now: number): ChainStatus {
  const sinceChecked = Math.max(0, Math.round((now - cursor.checked_at) / 1000));
  return {
    chainId: cursor.chain_id,
    indexed: { number: cursor.number, hash: cursor.hash, timestamp: cursor.time },
    head: cursor.head_number,
    finalized: cursor.finalized_number,
    lagBlocks: Math.max(0, cursor.head_number - cursor.number),
    reading: [],
    lagSeconds: Math.max(0, cursor.head_time - cursor.time) + sinceChecked,
  };
}

/** How far the chains have been read for the first time. `endsAt` is `load_ends_at`. Null if no chain is indexed. */
export function loadingOf(
  chains: readonly IndexedChain[],
  cursors: readonly Pick<Cursor, 'chain_id' | 'number' | 'head_number' | 'checked_at'>[],
  endsAt: UnixMs,
  now: UnixMs,
): Status['loading'] {
  const indexed = chains.filter(({ is_indexed }) => is_indexed === 1);
  if (indexed.length === 0) return null;
  let [done, total, checkedAt] = [0, 0, 0];
  for (const { chain_id, start_block } of indexed) {
    const cursor = cursors.find((known) => known.chain_id === chain_id);
    // The length of a chain that no node has been asked about is unknown, and so is any part of the whole.
    if (cursor === undefined) return { percent: null, secondsLeft: null };
    done += cursor.number - start_block + 1;
    total += cursor.head_number - start_block + 1;
    checkedAt = Math.max(checkedAt, cursor.checked_at);
  }
  const isRunning = isRecent(checkedAt, MAX_SILENCE_MS, now);
  return {
    // Not 100: what has been read is not in the graph yet.
    percent: Math.max(0, Math.min(99, Math.floor((100 * done) / total))),
    secondsLeft: isRunning && endsAt > now ? Math.ceil((endsAt - now) / 1000) : null,
  };
}

const COUNTERS = statement((db) => db.selectFrom('counters').selectAll());

export type Measurements = Awaited<ReturnType<typeof readMeasurements>>;

/** Numbers for /metrics that /status does not have. */
export async function readMeasurements({ reader, readSize }: Pick<Store, 'reader' | 'readSize'>) {
  const checks = await reader.all(CURSORS, {});
  return {
    /** Counters of the indexer, which may run in another process. */
    counters: await reader.all(COUNTERS, {}),
    /** When a node last reported the head of a chain, in Unix milliseconds. */
    checkedAt: new Map(checks.map(({ chain_id, checked_at }) => [chain_id, checked_at])),
    /** Whether the graph has changed since the ranks were made. */
    ranksAreStale: (await findStaleRanks(reader)) !== null,
    size: await readSize(),
  };
}
