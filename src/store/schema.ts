import type { Counts } from '../graph/counts.ts';
import type { Hex } from '../protocol/hex.ts';

export type ColumnKind = 'text' | 'integer';

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
/** See `RELATION_CODES`. */
const relation = integer;

/** A table: the columns of its primary key, and all columns in the order in which rows are written. */
function table<K extends string, const C extends Readonly<Record<K, ColumnSpec>>>(key: readonly K[], columns: C) {
  return { key, columns };
}

const counts = {
  followers: integer,
  following: integer,
  mutuals: integer,
  blocks: integer,
  top8: integer,
} as const satisfies Record<keyof Counts, ColumnSpec<number>>;

/**
 * Every table. `logs` and `blocks` are the source of truth, `profiles` and `badges` are copies of remote data, and all
 * other tables are computed from them, in the form and order in which they are queried. Row types, statements and tests
 * derive from this definition; the DDL is in migrations/. Times are Unix seconds unless a comment says otherwise.
 */
const definitions = {
  /** One row per decoded log, with the cell it writes: `subject` and `part`. */
  logs: table(['chain_id', 'block_number', 'log_index'], {
    chain_id: integer,
    block_number: integer,
    log_index: integer,
    /** References `subjects.id`. */
    subject: integer,
    part: text,
    block_time: integer,
    /** Hex: larger than a blob, but binding text takes half the time. */
    payload: column<Hex>('text'),
  }),
  /** Ids of the lists, slots and accounts that logs refer to. An id takes a tenth of the space of a slot's key. */
  subjects: table(['id'], { id: integer, key: text }),
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

  lists: table(['token_id'], {
    token_id: text,
    owner: nullable(text),
    slot: nullable(text),
    /** The account that the list belongs to, see `accountOfList`. Stored because every lookup by list needs it. */
    account: nullable(text),
  }),
  slots: table(['key'], { key: text, user: nullable(text), manager: nullable(text) }),
  accounts: table(['address'], {
    address: text,
    primary_list: nullable(text),
    active_list: nullable(text),
    active_slot: nullable(text),
    ...counts,
    /** In how many slots the account is a record. */
    listed: integer,
    /** How many lists were minted to it. */
    minted: integer,
  }),

  /** One row per present record of a slot, whether or not the slot is active. */
  records: table(['slot', 'time', 'address'], {
    /** References `subjects.id`. */
    slot: integer,
    time: integer,
    address: text,
    relation,
    /** Sorted, as a JSON array. */
    tags: text,
  }),
  /**
   * One row per edge to an account: a record of the active slot of `address` that names `target`. Followers are the edges
   * whose relation is follow. `hidden` is 1 if the target blocks or mutes `address`.
   */
  edges: table(['target', 'time', 'address'], {
    target: text,
    time: integer,
    address: text,
    /** Follower count of `address` as of the last ranking; 0 if it is not on the leaderboard. */
    popularity: integer,
    hidden: integer,
    relation,
    /** The name of `address` in lower case, for searching. */
    name: text,
    entry: text,
  }),
  /** One row per tag of an edge. */
  edge_tags: table(['target', 'tag', 'time', 'address'], {
    target: text,
    tag: text,
    time: integer,
    address: text,
    popularity: integer,
    hidden: integer,
    relation,
  }),
  /** One row per list op that targets an account and is in another account's active slot. */
  notifications: table(['target', 'time', 'chain_id', 'block_number', 'log_index'], {
    target: text,
    time: integer,
    chain_id: integer,
    block_number: integer,
    log_index: integer,
    opcode: integer,
    tag: text,
    entry: text,
  }),
  /** The leaderboard as last computed, in its order. */
  leaderboard: table(['place', 'address'], {
    /** The sort key, see `sortKeyOf`. */
    place: integer,
    address: text,
    /** In lower case, for searching. */
    name: text,
    ...counts,
    /** See `storedEntry`. */
    entry: text,
  }),
  /** The rank of each count. Ranks are not stored per account: one new follower would rewrite thousands of rows. */
  ranks: table(['measure', 'count'], { measure: column<keyof Counts>('text'), count: integer, rank: integer }),

  /** Profiles from ENS. `fresh` is in Unix milliseconds. */
  profiles: table(['address'], {
    address: text,
    name: text,
    avatar: text,
    header: text,
    fresh: integer,
    /** The whole profile as JSON. */
    ens: text,
  }),
  /** What the details endpoint returns of an account. No row if there is nothing. Counts are those of the leaderboard. */
  details: table(['address'], {
    address: text,
    active_list: nullable(text),
    ens: nullable(text),
    followers: nullable(integer),
    following: nullable(integer),
    mutuals: nullable(integer),
    blocks: nullable(integer),
    top8: nullable(integer),
  }),
  /** A priority queue of profiles to fetch: lowest `turn` first. */
  wanted_profiles: table(['address'], { address: text, turn: integer }),
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

export type StateKey =
  /** Raised by every commit that changes a response. */
  | 'data_version'
  /** Raised by every change of the graph. */
  | 'graph_version'
  /** The graph version that ranks were last computed from, and when, in Unix milliseconds. */
  | 'ranks_graph_version'
  | 'ranks_made_at'
  /** Raised by every change of the leaderboard. */
  | 'board_version'
  /** 1 once logs were imported, or every indexed chain was read up to its head. */
  | 'is_loaded'
  /** 1 if the data was generated by `kith demo`. */
  | 'is_demo'
  // Row counts, stored because counting takes time proportional to the size of the graph.
  | 'logs'
  | 'ignored_ops'
  | 'list_ops'
  | 'unfolded_logs'
  /** Lists that exist: minted and not burned. */
  | 'lists'
  | 'accounts'
  /** Accounts that are a record of any slot, and accounts that a list was minted to. */
  | 'listed_accounts'
  | 'minted_accounts'
  | 'follows'
  | 'ranked';

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
