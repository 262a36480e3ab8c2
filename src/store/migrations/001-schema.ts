import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { createTable, run, type TableText } from './tables.ts';

const TABLES: Readonly<Record<string, TableText>> = {
  logs: [
    'chain_id, block_number, log_index',
    'chain_id integer, block_number integer, block_time integer, log_index id, subject id, part id, opcode small, payload text',
  ],
  blocks: ['chain_id, number', 'chain_id integer, number integer, hash text, time integer'],
  chains: ['chain_id', 'chain_id integer, block_number integer, block_hash text, block_time integer'],
  cursors: [
    'chain_id',
    'chain_id integer, number integer, hash text, time integer, head_number integer, head_time integer, finalized_number integer, checked_at integer',
  ],
  recent_blocks: ['chain_id, number', 'chain_id integer, number integer, hash text'],
  indexed_contracts: ['chain_id', 'chain_id integer, contracts text, start_block integer, is_indexed integer'],
  chain_faults: ['chain_id', 'chain_id integer, code text, message text, since integer'],
  leases: ['name', 'name text, holder text, expires_at integer'],
  counters: ['name, label', 'name text, label text, value integer'],
  lists: ['id', 'id id, token_id text, owner id?, slot id?, account id?'],
  slots: ['id', 'id id, key text, "user" id?, manager id?'],
  accounts: [
    'id',
    'id id, address text, primary_list id?, active_list text?, active_slot id?, followers id, following id, mutuals id, blocks id, top8 id, listed id, minted id',
  ],
  tags: ['id', 'id id, tag text'],
  records: [
    'slot, time desc, address_key',
    'slot id, time integer, address_key address, account id, relation small, tagged small',
  ],
  record_tags: ['slot, account, tag', 'slot id, account id, tag id'],
  edges: [
    'target, time desc, address_key',
    'target id, time integer, address_key address, source id, relation small, back small, popularity id, tagged small',
  ],
  edge_tags: [
    'target, tag, time desc, address_key',
    'target id, tag id, time integer, address_key address, source id, relation small, back small, popularity id',
  ],
  notifications: [
    'target, time, chain_id, block_number, log_index',
    'target id, time integer, chain_id integer, block_number integer, log_index id, source id, opcode small, tag id',
  ],
  leaderboard: [
    'account',
    'account id, address_key address, followers id, following id, mutuals id, blocks id, top8 id',
  ],
  rare_counts: ['measure, account', 'measure text, account id, address_key address, count id'],
  ranks: ['measure, count', 'measure text, count id, rank id'],
  profiles: ['address', 'address text, name text, search_name text, avatar text, header text, fresh integer, ens text'],
  resolved_names: ['name', 'name text, address text?, resolved_at integer'],
  wanted_profiles: ['address', 'address text, priority integer'],
  badges: ['address, event_id', 'address text, event_id text, collection text?, checked_at integer'],
  state: ['key', 'key text, value integer'],
};
const WITH_ROW_ID = ['lists', 'slots', 'accounts', 'tags', 'leaderboard'];
const COUNTS = ['followers', 'following', 'mutuals', 'blocks', 'top8'];
/** The keys of `state` that start at zero. */
const STATE =
  'data_version graph_version ranks_graph_version ranked_at last_id is_loaded is_demo unfolded_logs logs ignored_ops list_ops lists accounts listed_accounts minted_accounts follows ranked';

export function createSchema(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const tables = Object.entries(TABLES).map(([name, text]) =>
    createTable(dialect, name, text, { hasRowId: WITH_ROW_ID.includes(name) }),
  );
  const state = STATE.split(' ').map((key) => `('${key}', 0)`);
  return run(db, [
    ...tables,
    ...indexes(dialect),
    ...searchIndex(dialect),
    `insert into state (key, value) values ${state.join(', ')}`,
  ]);
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
    ...COUNTS.flatMap((count) => [
      `create index leaderboard_${count} on leaderboard (${count} desc, address_key, account)`,
      `create index leaderboard_${count}_ascending on leaderboard ((${count} = 0), ${count}, address_key, account)`,
    ]),
    'create index rare_counts_order on rare_counts (measure, count desc, address_key, account)',
    "create index profiles_name on profiles (name, fresh, address) where name <> ''",
    'create index wanted_profiles_priority on wanted_profiles (priority, address)',
  ];
}

function searchIndex({ isClustered }: Dialect): string[] {
  return isClustered
    ? [
        `create virtual table leaderboard_grams using fts5
          (grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
        // Merging two segments of a level, the minimum, leaves two to four segments after many small changes.
        "insert into leaderboard_grams (leaderboard_grams, rank) values ('usermerge', 2)",
      ]
    : // Its trigram indexes, which a later migration drops, needed an extension. A new database gets neither.
      [];
}
