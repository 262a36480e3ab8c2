import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { executeAll } from './statements.ts';

/** What is indexed of each chain, and why a chain is not being indexed at the moment. */
export async function createChainStates(db: Kysely<unknown>, { types }: Dialect): Promise<void> {
  const { text, integer } = types;
  await executeAll(db, [
    `create table indexed_contracts (
      chain_id ${integer} primary key, contracts ${text} not null, start_block ${integer} not null
    )`,
    `create table chain_faults (
      chain_id ${integer} primary key, code ${text} not null, message ${text} not null, since ${integer} not null
    )`,
  ]);
}
