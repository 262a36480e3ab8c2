import type { Counts } from '../graph/counts.ts';
import type { Column, TableName } from './schema.ts';

export type ColumnKind = 'text' | 'integer';

export interface TableSpec<T extends TableName> {
  readonly key: readonly Column<T>[];
  readonly columns: { readonly [C in Column<T>]: ColumnKind };
}

const COUNTS = {
  followers: 'integer',
  following: 'integer',
  mutuals: 'integer',
  blocks: 'integer',
  top8: 'integer',
} as const satisfies Record<keyof Counts, ColumnKind>;

/** The tables of the schema as values, for the statements that write whole rows. */
export const TABLES: { readonly [T in TableName]: TableSpec<T> } = {
  logs: {
    key: ['chain_id', 'block_number', 'log_index'],
    columns: {
      chain_id: 'integer',
      block_number: 'integer',
      log_index: 'integer',
      subject: 'integer',
      part: 'text',
      block_time: 'integer',
      payload: 'text',
    },
  },
  subjects: { key: ['id'], columns: { id: 'integer', key: 'text' } },
  blocks: {
    key: ['chain_id', 'number'],
    columns: { chain_id: 'integer', number: 'integer', hash: 'text', time: 'integer' },
  },
  chains: {
    key: ['chain_id'],
    columns: { chain_id: 'integer', block_number: 'integer', block_hash: 'text', block_time: 'integer' },
  },
  cursors: {
    key: ['chain_id'],
    columns: {
      chain_id: 'integer',
      number: 'integer',
      hash: 'text',
      time: 'integer',
      head_number: 'integer',
      head_time: 'integer',
      finalized_number: 'integer',
      checked_at: 'integer',
    },
  },
  recent_blocks: {
    key: ['chain_id', 'number'],
    columns: { chain_id: 'integer', number: 'integer', hash: 'text' },
  },
  leases: { key: ['name'], columns: { name: 'text', holder: 'text', expires_at: 'integer' } },
  counters: { key: ['name', 'label'], columns: { name: 'text', label: 'text', value: 'integer' } },
  lists: { key: ['token_id'], columns: { token_id: 'text', owner: 'text', slot: 'text', account: 'text' } },
  slots: { key: ['key'], columns: { key: 'text', user: 'text', manager: 'text' } },
  accounts: {
    key: ['address'],
    columns: {
      address: 'text',
      primary_list: 'text',
      active_list: 'text',
      active_slot: 'text',
      ...COUNTS,
    },
  },
  followers: {
    key: ['target', 'time', 'address'],
    columns: {
      target: 'text',
      time: 'integer',
      address: 'text',
      popularity: 'integer',
      hidden: 'integer',
      entry: 'text',
    },
  },
  follower_tags: {
    key: ['target', 'tag', 'time', 'address'],
    columns: {
      target: 'text',
      tag: 'text',
      time: 'integer',
      address: 'text',
      popularity: 'integer',
      hidden: 'integer',
    },
  },
  notifications: {
    key: ['target', 'time', 'chain_id', 'block_number', 'log_index'],
    columns: {
      target: 'text',
      time: 'integer',
      chain_id: 'integer',
      block_number: 'integer',
      log_index: 'integer',
      opcode: 'integer',
      tag: 'text',
      entry: 'text',
    },
  },
  leaderboard: {
    key: ['place', 'address'],
    columns: {
      place: 'integer',
      address: 'text',
      name: 'text',
      ...COUNTS,
      entry: 'text',
    },
  },
  ranks: { key: ['measure', 'count'], columns: { measure: 'text', count: 'integer', rank: 'integer' } },
  profiles: {
    key: ['address'],
    columns: { address: 'text', name: 'text', avatar: 'text', fresh: 'integer', ens: 'text' },
  },
  details: {
    key: ['address'],
    columns: {
      address: 'text',
      active_list: 'text',
      ens: 'text',
      ...COUNTS,
    },
  },
  wanted_profiles: { key: ['address'], columns: { address: 'text', turn: 'integer' } },
  badges: {
    key: ['address', 'event_id'],
    columns: { address: 'text', event_id: 'text', collection: 'text', checked_at: 'integer' },
  },
  state: { key: ['key'], columns: { key: 'text', value: 'integer' } },
};

/** The columns of a table, in the order in which rows are written. */
export function columnsOf(table: TableName): string[] {
  return Object.keys(TABLES[table].columns);
}
