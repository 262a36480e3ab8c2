import { sql } from 'kysely';
import type { Status } from '../contract/status-schema.ts';
import type { Row, StateKey } from '../store/schema.ts';
import { statement } from '../store/statement.ts';
import type { Reader, Store } from '../store/store.ts';
import { type Claim, loadingOf } from './loading.ts';

/** Where profiles and badges come from, besides imports. */
export type SourceKinds = Status['sources'];
type ChainStatus = Status['chains'][number];

type Highest = Row<'chains'>;
type Cursor = Row<'cursors'>;

const STATE = statement<object, Row<'state'>>((db) => db.selectFrom('state').selectAll());
const HIGHEST = statement<object, Highest>((db) => db.selectFrom('chains').selectAll());
const CURSORS = statement<object, Cursor>((db) => db.selectFrom('cursors').selectAll());
const CLAIMS = statement<object, Claim>((db) =>
  db.selectFrom('indexed_contracts').select(['chain_id', 'start_block', 'is_indexed']).orderBy('chain_id'),
);
const FAULTS = statement<object, Row<'chain_faults'>>((db) =>
  db.selectFrom('chain_faults').selectAll().orderBy('chain_id'),
);

export const IS_LOADED = statement<object, { value: number }>((db) =>
  db.selectFrom('state').select('value').where('key', '=', sql.lit<StateKey>('is_loaded')),
);

/** Whether the graph is complete up to some block of each chain. */
export async function readIsLoaded(reader: Reader): Promise<boolean> {
  return (await reader.all(IS_LOADED, {}))[0]?.value === 1;
}

/** The state of the database. Counts are stored, so it takes the same time for any size of the graph. */
export function createStatusLookup(
  { engine, reader }: Pick<Store, 'engine' | 'reader'>,
  sources: SourceKinds,
): (now: number) => Promise<Status> {
  return async (now) => {
    const values = new Map((await reader.all(STATE, {})).map(({ key, value }) => [key, value]));
    const numberOf = (key: StateKey) => values.get(key) ?? 0;
    const madeAt = numberOf('ranked_at');
    const chains = new Map<number, ChainStatus>();
    for (const chain of await reader.all(HIGHEST, {})) chains.set(chain.chain_id, statusOfImported(chain));
    const claims = await reader.all(CLAIMS, {});
    const claimed = new Map(claims.map(({ chain_id, is_indexed }) => [chain_id, is_indexed === 1]));
    const cursors = await reader.all(CURSORS, {});
    for (const cursor of cursors) {
      const isIndexed = claimed.get(cursor.chain_id) ?? true;
      chains.set(cursor.chain_id, isIndexed ? statusOfIndexed(cursor, now) : statusOfFormer(cursor));
    }
    const isLoading = numberOf('is_loaded') === 0;
    return {
      engine,
      isDemo: numberOf('is_demo') === 1,
      isLoading,
      loading: isLoading ? loadingOf(claims, cursors, numberOf('load_ends_at'), now) : null,
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
      ranksMadeAt: madeAt === 0 ? null : new Date(madeAt).toISOString(),
      chains: [...chains.values()].sort((a, b) => a.chainId - b.chainId),
      chainsNotIndexed: claims.filter(({ is_indexed }) => is_indexed === 0).map(({ chain_id }) => chain_id),
      faults: (await reader.all(FAULTS, {})).map(({ chain_id, code, message, since }) => ({
        chainId: chain_id,
        code,
        message,
        since: new Date(since).toISOString(),
      })),
      sources,
    };
  };
}

const NOT_INDEXED = { head: null, finalized: null, lagBlocks: null, lagSeconds: null };

function statusOfImported({ chain_id, block_number, block_hash, block_time }: Highest): ChainStatus {
  return {
    chainId: chain_id,
    indexed: { number: block_number, hash: block_hash, timestamp: block_time },
    ...NOT_INDEXED,
  };
}

/** A chain that was indexed, and no longer is. */
function statusOfFormer({ chain_id, number, hash, time }: Cursor): ChainStatus {
  return { chainId: chain_id, indexed: { number, hash, timestamp: time }, ...NOT_INDEXED };
}

function statusOfIndexed(cursor: Cursor, now: number): ChainStatus {
  const sinceChecked = Math.max(0, Math.round((now - cursor.checked_at) / 1000));
  return {
    chainId: cursor.chain_id,
    indexed: { number: cursor.number, hash: cursor.hash, timestamp: cursor.time },
    head: cursor.head_number,
    finalized: cursor.finalized_number,
    lagBlocks: Math.max(0, cursor.head_number - cursor.number),
    lagSeconds: Math.max(0, cursor.head_time - cursor.time) + sinceChecked,
  };
}
