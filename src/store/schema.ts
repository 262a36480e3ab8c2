import type { Counts, Measure, RareCount } from '../graph/counts.ts';
import type { Address } from '../protocol/hex.ts';
import type { StateKey } from './state-keys.ts';

/**
 * `id` and `small` are integers of 4 and 2 bytes on PostgreSQL. `address` is the 20 bytes of an address, which `Transaction`
 * takes and returns as text.
 */
export type ColumnKind = 'text' | 'integer' | 'id' | 'small' | 'address';

export interface ColumnSpec<V = unknown> {
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  /** The TypeScript type of the values. A type only: never set. */
  readonly $value?: V;
}

const column = <V>(kind: ColumnKind): ColumnSpec<V> => ({ kind, isNullable: false });
const nullable = <V>({ kind }: ColumnSpec<V>): ColumnSpec<V | null> => ({ kind, isNullable: true });
const text = column<string>('text');
const integer = column<number>('integer');
/** References an account, a list or a slot: ids are unique among all three. */
const id = column<number>('id');
const number = column<number>('id');
const small = column<number>('small');
/** See `RELATION_CODES`. */
const relation = small;
/** Follows what rows are ordered by, because equal rows are ordered by address and ids come in order of arrival. */
const address_key = column<Address>('address');

/** A table: the columns of its primary key, and all columns in the order in which rows are written. */
function table<K extends string, const C extends Readonly<Record<K, ColumnSpec>>>(key: readonly K[], columns: C) {
  return { key, columns };
}

const counts = {
  followers: number,
  following: number,
  mutuals: number,
  blocks: number,
  top8: number,
} as const satisfies Record<keyof Counts, ColumnSpec<number>>;

/**
 * Every table. `logs` and `blocks` are the source of truth, `profiles` and `badges` are copies of remote data, and all
 * other tables are computed from them, in the order in which they are queried. Addresses, slot keys and tags are stored
 * once; other rows refer to them by id. Row types, statements and tests derive from this definition; the DDL is in
 * migrations/. Times are Unix seconds unless a comment says otherwise.
 */
const definitions = {
  /** One row per decoded log, with the cell it writes: `subject` and `part`. See `logRow`. */
  logs: table(['chain_id', 'block_number', 'log_index'], {
    chain_id: integer,
    block_number: integer,
    block_time: integer,
    log_index: number,
    /** The list, slot or account. */
    subject: id,
    /** The account of a record, or the code of a register. */
    part: number,
    /** 0 for registers and invalid ops. */
    opcode: small,
    /** The bytes that no other column holds, as hex without 0x, which binds in half the time of a blob. */
    payload: text,
  }),
  /** The blocks of the stored logs. A different hash for a known height means that the log is of another fork. */
  blocks: table(['chain_id', 'number'], { chain_id: integer, number: integer, hash: text, time: integer }),
  /** The highest block of each chain that has a stored log. */
  chains: table(['chain_id'], { chain_id: integer, block_number: integer, block_hash: text, block_time: integer }),
  /** The indexer's cursor of each chain: every log up to this block is stored. */
  cursors: table(['chain_id'], {
    chain_id: integer,
    number: integer,
    hash: text,
    time: integer,
    /** The chain's head and finalized block, as last reported by a node. */
    head_number: integer,
    head_time: integer,
    finalized_number: integer,
    /** When the node reported them, in Unix milliseconds. */
    checked_at: integer,
  }),
  /** The blocks that a reorg can still remove, and the last finalized one. */
  recent_blocks: table(['chain_id', 'number'], { chain_id: integer, number: integer, hash: text }),
  /** The contracts that a chain was indexed from, the first block, and whether it still is indexed: 1 or 0. */
  indexed_contracts: table(['chain_id'], {
    chain_id: integer,
    contracts: text,
    start_block: integer,
    is_indexed: integer,
  }),
  /** Why a chain is not being indexed; no row while it is. `since` is in Unix milliseconds. */
  chain_faults: table(['chain_id'], { chain_id: integer, code: text, message: text, since: integer }),
  /** The process that holds the indexer lock. `expires_at` is in Unix milliseconds. */
  leases: table(['name'], { name: text, holder: text, expires_at: integer }),
  /** The indexer's counters, which serving processes export as metrics. */
  counters: table(['name', 'label'], { name: text, label: text, value: integer }),

  lists: table(['id'], {
    id,
    token_id: text,
    owner: nullable(id),
    slot: nullable(id),
    /** The account that the list belongs to, see `accountOfList`. Stored because every lookup by list needs it. */
    account: nullable(id),
  }),
  slots: table(['id'], { id, key: text, user: nullable(id), manager: nullable(id) }),
  /** Every address that a log names. */
  accounts: table(['id'], {
    id,
    address: text,
    /** The list that the account names, which need not be valid or exist. */
    primary_list: nullable(id),
    /** Token id of the valid primary list. */
    active_list: nullable(text),
    active_slot: nullable(id),
    ...counts,
    /** In how many slots the account is a record. */
    listed: number,
    /** How many lists were minted to it. */
    minted: number,
  }),
  tags: table(['id'], { id, tag: text }),

  /** One row per present record of a slot, whether or not the slot is active. */
  records: table(['slot', 'time', 'address_key'], {
    slot: id,
    time: integer,
    /** Of `account`. */
    address_key,
    account: id,
    relation,
    /** 1 if `record_tags` has rows of the record. */
    tagged: small,
  }),
  record_tags: table(['slot', 'account', 'tag'], { slot: id, account: id, tag: id }),
  /**
   * One row per edge to an account: a record of the active slot of `source` that names `target`. Followers are the edges
   * whose relation is follow.
   */
  edges: table(['target', 'time', 'address_key'], {
    target: id,
    time: integer,
    /** Of `source`. */
    address_key,
    source: id,
    relation,
    /** The relation of the target's own edge to `source`, see `backCode`. */
    back: small,
    /** Follower count of `source` as of the last ranking; 0 if it is not on the leaderboard. */
    popularity: number,
    /** 1 if the record has tags. */
    tagged: small,
  }),
  /** One row per tag of an edge. */
  edge_tags: table(['target', 'tag', 'time', 'address_key'], {
    target: id,
    tag: id,
    time: integer,
    address_key,
    source: id,
    relation,
    back: small,
    popularity: number,
  }),
  /** One row per list op that targets an account and is in the active slot of another one, `source`. */
  notifications: table(['target', 'time', 'chain_id', 'block_number', 'log_index'], {
    target: id,
    time: integer,
    chain_id: integer,
    block_number: integer,
    log_index: number,
    source: id,
    opcode: small,
    /** 0 if the op carries no tag. */
    tag: id,
  }),
  /** The leaderboard as last computed. */
  leaderboard: table(['account'], { account: id, address_key, ...counts }),
  /** Counts as of the last ranking that few accounts have. A count of 0 has no row. */
  rare_counts: table(['measure', 'account'], {
    measure: column<RareCount>('text'),
    account: id,
    address_key,
    count: number,
  }),
  /** The rank of each count. Ranks are not stored per account: one new follower would rewrite thousands of rows. */
  ranks: table(['measure', 'count'], { measure: column<Measure>('text'), count: number, rank: number }),

  /** Profiles from ENS, of any address. `fresh` is in Unix milliseconds. */
  profiles: table(['address'], {
    address: text,
    name: text,
    /** The name in lower case, for searching. */
    search_name: text,
    avatar: text,
    header: text,
    fresh: integer,
    /** The whole profile as JSON. */
    ens: text,
  }),
  /** What `cache=fresh` resolved names to in the last minute; null: to no account. `resolved_at` is in Unix milliseconds. */
  resolved_names: table(['name'], { name: text, address: nullable(text), resolved_at: integer }),
  /** A priority queue of profiles to fetch: lowest `priority` first. */
  wanted_profiles: table(['address'], { address: text, priority: integer }),
  /** `collection` is null if the account does not hold the badge. `checked_at` is in Unix milliseconds. */
  badges: table(['address', 'event_id'], {
    address: text,
    event_id: text,
    collection: nullable(text),
    checked_at: integer,
  }),
  /** Numbers about the database itself. */
  state: table(['key'], { key: column<StateKey>('text'), value: integer }),
};

type Definitions = typeof definitions;
type Value<C> = C extends ColumnSpec<infer V> ? V : never;
type RowOf<Columns> = { -readonly [C in keyof Columns]: Value<Columns[C]> };

export type Tables = { [T in keyof Definitions]: RowOf<Definitions[T]['columns']> };
export type TableName = keyof Tables;
export type Row<T extends TableName> = Tables[T];
export type Column<T extends TableName> = keyof Tables[T] & string;

export interface TableSpec<T extends TableName> {
  readonly key: readonly Column<T>[];
  readonly columns: { readonly [C in Column<T>]: ColumnSpec };
}

export const TABLES: { readonly [T in TableName]: TableSpec<T> } = definitions;

// Safe: the object has no other properties.
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** The columns of a table, in the order in which rows are written. */
export function columnsOf(table: TableName): string[] {
  return Object.keys(TABLES[table].columns);
}
