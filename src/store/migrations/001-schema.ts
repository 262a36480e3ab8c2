import { type Kysely, sql } from 'kysely';
import { COUNTED } from '../../graph/counts.ts';
import type { Dialect } from '../dialect.ts';
import { type ColumnSpec, TABLE_NAMES, TABLES, type TableName } from '../schema.ts';
import { STATE_KEYS } from '../state-keys.ts';

export async function createSchema(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const statements = [
    ...TABLE_NAMES.map((table) => createTable(table, dialect)),
    ...indexes(dialect),
    ...dialect.search.create,
    `insert into state (key, value) values ${STATE_KEYS.map((key) => `('${key}', 0)`).join(', ')}`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Tables that are read in descending order of a key column on SQLite, which stores rows in the order of the key. */
const DESCENDING: Partial<Record<TableName, string>> = { records: 'time', edges: 'time', edge_tags: 'time' };
/** A row id is the key of these on SQLite. */
const BY_ROW_ID: readonly TableName[] = ['lists', 'slots', 'accounts', 'tags', 'leaderboard'];

function createTable(table: TableName, { types, isClustered }: Dialect): string {
  const { key, columns } = TABLES[table];
  const definitions = Object.entries<ColumnSpec>(columns).map(
    ([name, { kind, isNullable }]) => `"${name}" ${types[kind]}${isNullable ? '' : ' not null'}`,
  );
  const keyColumns = key.map((name) => (isClustered && name === DESCENDING[table] ? `"${name}" desc` : `"${name}"`));
  const option = isClustered && !BY_ROW_ID.includes(table) ? 'without rowid' : '';
  return `create table ${table} (${definitions.join(', ')}, primary key (${keyColumns.join(', ')})) ${option}`;
}

function indexes({ isClustered }: Dialect): string[] {
  return [
    'create index logs_cell on logs (subject, part, block_number, log_index)',
    'create unique index lists_token_id on lists (token_id)',
    'create index lists_owner on lists (owner) where owner is not null',
    'create index lists_slot on lists (slot) where slot is not null',
    // Token ids are decimal numbers without leading zeros: the longer one is greater.
    'create index lists_number on lists (length(token_id) desc, token_id desc, account) where account is not null',
    'create index lists_account on lists (account, length(token_id) desc, token_id desc) where account is not null',
    'create unique index slots_key on slots (key)',
    'create index slots_user on slots ("user") where "user" is not null',
    'create index slots_manager on slots (manager) where manager is not null',
    'create unique index accounts_address on accounts (address)',
    'create unique index tags_tag on tags (tag)',
    'create index records_account on records (slot, account, relation, tagged)',
    // Covering, because reading the edge of each row of a page would double its time.
    'create index edges_popular on edges (target, popularity desc, address_key, source, relation, back, tagged, time)',
    // Few edges are blocks or mutes, and rankings count them.
    'create index edges_hostile on edges (relation, target, source) where relation <> 0',
    'create index edges_recent on edges (time desc, target, source) where relation = 0',
    'create index edge_tags_popular on edge_tags (target, tag, popularity desc, address_key, source, relation, back, time)',
    ...(isClustered
      ? []
      : [
          'create index records_latest on records (slot, time desc, address_key, account, relation, tagged)',
          'create index edges_latest on edges (target, time desc, address_key, source, relation, back, tagged)',
          'create index edge_tags_latest on edge_tags (target, tag, time desc, address_key, source, relation, back)',
        ]),
    'create index notifications_by_opcode on notifications (target, opcode, time, chain_id, block_number, log_index)',
    `create index notifications_by_tag on notifications
      (target, tag, time, chain_id, block_number, log_index) where tag <> 0`,
    `create index notifications_by_tag_opcode on notifications
      (target, tag, opcode, time, chain_id, block_number, log_index) where tag <> 0`,
    // Members whose count is 0 come last in either direction.
    ...COUNTED.flatMap((count) => [
      `create index leaderboard_${count} on leaderboard (${count} desc, address_key, account)`,
      `create index leaderboard_${count}_ascending on leaderboard ((${count} = 0), ${count}, address_key, account)`,
    ]),
    'create index rare_counts_order on rare_counts (measure, count desc, address_key, account)',
    "create index profiles_name on profiles (name, fresh, address) where name <> ''",
    'create index wanted_profiles_priority on wanted_profiles (priority, address)',
  ];
}
