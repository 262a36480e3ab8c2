import { sql } from 'kysely';
import { statement } from '../store/statement.ts';
import type { Reader } from '../store/store.ts';
import type { StateKey } from '../store/versions.ts';

const stateOf = (key: StateKey) => sql<number>`(select value from state where key = ${sql.lit(key)})`;

const CHAINS = statement((db) =>
  db
    .selectFrom('indexed_contracts as chain')
    .leftJoin('cursors', 'cursors.chain_id', 'chain.chain_id')
    .select(['chain.chain_id', 'is_indexed', 'number', 'head_number', 'checked_at'])
    .select([stateOf('unfolded_logs').as('unfolded_logs'), stateOf('data_version').as('data_version')])
    .orderBy('chain.chain_id'),
);

export type IndexedChain = Awaited<ReturnType<typeof readIndexedChains>>[number];

/** How far each chain is indexed, if a block of it was read; and the data version that this is of. */
export const readIndexedChains = (reader: Reader) => reader.all(CHAINS, {});
