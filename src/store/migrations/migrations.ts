import { randomInt } from 'node:crypto';
import type { Kysely, Migration } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { createSchema } from './001-schema.ts';
import { rankChangedAccounts } from './005-changed-accounts.ts';
import { listSearchChanges } from './008-search-changes.ts';
import { createTable, run } from './tables.ts';

/** In the order in which they run. A database of each earlier commit must open, so a migration that has landed is never edited. */
export function createMigrations(dialect: Dialect): Record<string, Migration> {
  return {
    '001-schema': { up: (db) => createSchema(db, dialect) },
    '002-profile-attempts': { up: (db) => addProfileAttempts(db, dialect) },
    '003-lease-renewals': { up: countRenewals },
    '004-versions': { up: addVersions },
    '005-changed-accounts': { up: (db) => rankChangedAccounts(db, dialect) },
    '006-minters': { up: (db) => listMinters(db, dialect) },
    '007-activity': { up: addActivity },
    '008-search-changes': { up: (db) => listSearchChanges(db, dialect) },
    '009-added-contracts': { up: (db) => addContracts(db, dialect) },
  };
}

/** Attempts to fetch a profile survive the process that makes them. */
async function addProfileAttempts(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = 'address text, attempts integer, is_open small, retry_at integer';
  await run(db, [createTable(dialect, 'profile_attempts', ['address', columns])]);
}

/** The lease counts its renewals: its expiry was compared with system clocks, which can be set. */
async function countRenewals(db: Kysely<unknown>): Promise<void> {
  await run(db, ['alter table leases rename column expires_at to renewals']);
}

/** A version for each source of answers, random from the start, because another database must not have the same. */
async function addVersions(db: Kysely<unknown>): Promise<void> {
  const sources = ['graph', 'profiles', 'names', 'ranks', 'badges'];
  const rows = sources.map((source) => `('version_${source}', ${randomInt(2 ** 47)})`);
  await run(db, [
    `insert into state (key, value) values ${rows.join(', ')}`,
    "delete from state where key = 'data_version_id'",
  ]);
}

/** The greatest list of an account is stored: finding it for each list before a deep page took up to a second. */
async function listMinters(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const greatest = `select token_id from lists where lists.account = owners.account
    order by length(token_id) desc, token_id desc limit 1`;
  await run(db, [
    createTable(dialect, 'minters', ['account', 'account id, token_id text']),
    `insert into minters (account, token_id) select account, (${greatest})
      from (select distinct account from lists where account is not null) as owners`,
    'create index minters_number on minters (length(token_id) desc, token_id desc, account)',
    'drop index lists_number',
  ]);
}

/** The list ops of a slot by time. Ends with the opcode, so that a filter by it reads nothing else. */
async function addActivity(db: Kysely<unknown>): Promise<void> {
  await run(db, [
    `create index logs_activity on logs (subject, block_time, block_number, log_index, opcode) where opcode > 0`,
  ]);
}

/** Contracts that are added to a chain later have a cursor of their own. */
async function addContracts(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = 'chain_id integer, address text, start_block integer, number integer, target integer';
  await run(db, [
    createTable(dialect, 'added_contracts', ['chain_id, address', columns]),
    `alter table indexed_contracts add column history ${dialect.types.integer} not null default 0`,
  ]);
}
