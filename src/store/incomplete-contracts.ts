import { sql } from 'kysely';
import type { Row } from './schema.ts';
import { statement } from './statement.ts';
import type { Reader } from './store.ts';

export type AddedContract = Row<'added_contracts'>;

const INCOMPLETE = statement((db) =>
  db
    .selectFrom('added_contracts')
    .innerJoin('indexed_contracts', 'indexed_contracts.chain_id', 'added_contracts.chain_id')
    .whereRef('number', '<', 'target')
    // Those that are not configured any more are not read either.
    .where('contracts', 'like', sql<string>`'%' || address || '%'`)
    .selectAll('added_contracts')
    .orderBy('added_contracts.chain_id')
    .orderBy('address'),
);

/** The added contracts whose earlier logs are not all stored, of one chain or of all. */
export async function readIncomplete(reader: Reader, chainId?: number): Promise<AddedContract[]> {
  const rows = await reader.all(INCOMPLETE, {});
  return rows.filter(({ chain_id }) => chainId === undefined || chain_id === chainId);
}
