import type { Counts, Measure, RareCount } from '../graph/counts.ts';
import type { Register } from '../protocol/decode-log.ts';
import type { Address } from '../protocol/hex.ts';
import type { Changed, Source, StateKey } from './versions.ts';

/**
 * `id` and `small` are integers of 4 and 2 bytes on PostgreSQL. `address` is the 20 bytes of an address, which `Transaction`
 * takes and returns as text.
 */
export type ColumnKind = 'text' | 'integer' | 'id' | 'small' | 'address';

/** The tables whose rows others refer to by id, and the column that identifies a row. Ids are unique among all of them. */
export const ENTITY_KEYS = { accounts: 'address', lists: 'token_id', slots: 'key', tags: 'tag' } as const;
export type Entity = keyof typeof ENTITY_KEYS;

export interface ColumnSpec<V = unknown> {
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  /** The tables that the values refer to. */
  readonly of?: readonly Entity[];
  /** What a write of this column alone changes, if not all sources of its table. */
  readonly source?: Source;
  /** The TypeScript type of the values. A type only: never set. */
  readonly $value?: V;
}

const column = <V>(kind: ColumnKind): ColumnSpec<V> => ({ kind, isNullable: false });
const nullable = <V>(spec: ColumnSpec<V>): ColumnSpec<V | null> => ({ ...spec, isNullable: true });
const of = <S extends ColumnSpec>(source: Source, spec: S): S => ({ ...spec, source });
const text = column<string>('text');
const integer = column<number>('integer');
const id = column<number>('id');
const idOf = (...of: readonly Entity[]): ColumnSpec<number> => ({ ...id, of });
const number = column<number>('id');
const small = column<number>('small');
/** See `RELATION_CODES`. */
const relation = small;
/** Follows what rows are ordered by, because equal rows are ordered by address and ids come in order of arrival. */
const address_key = column<Address>('address');

/**
 * A table: the sources that its rows belong to, none if no cached answer shows them; the columns of its primary key, and all
 * columns in the order in which rows are written.
 */
function table<K extends string, const C extends Readonly<Record<K, ColumnSpec>>>(
  sources: readonly Changed[] | 'by key',
  key: readonly K[],
  columns: C,
) {
  return { sources, key, columns };
}

/** `logs.part` of a register. The part of a record is the id of its account, which is above 0. */
export const REGISTER_PARTS: Readonly<Record<Register, number>> = {
  owner: -1,
  location: -2,
  user: -3,
  manager: -4,
  'primary-list': -5,
};

const counts = {
  followers: number,
  following: number,
  mutuals: number,
  blocks: number,
  top8: number,
} as const satisfies Record<keyof Counts, ColumnSpec<number>>;
const rareCounts = {
  blocks_given: number,
  mutes_given: number,
  mutes: number,
} as const satisfies Record<RareCount, ColumnSpec<number>>;

/**
 * Every table. `logs` and `blocks` are the source of truth, `profiles` and `badges` are copies of remote data, and all
 * other tables are computed from them, in the order in which they are queried. Addresses, slot keys and tags are stored
 * once; other rows refer to them by id. Row types, statements and tests derive from this definition; the DDL is in
 * migrations/. Times are Unix seconds unless a comment says otherwise.
 */
const definitions = {
  /**
   * One row per decoded log, with the cell it writes: `subject` and `part`. See `logRow`. Answers show what is folded from it,
   * and the rows of the graph change with that.
   */
  logs: table([], ['chain_id', 'block_number', 'log_index'], {
    chain_id: integer,
    block_number: integer,
    block_time: integer,
    log_index: number,
    /** The list, slot or account. */
    subject: idOf('lists', 'slots', 'accounts'),
    /** The account of a record, or the code of a register. */
    part: idOf('accounts'),
    /** 0 for registers and invalid ops. */
    opcode: small,
    /** The bytes that no other column holds, as hex without 0x, which binds in half the time of a blob. */
    payload: text,
  }),
  /** The blocks of the stored logs. A different hash for a known height means that the log is of another fork. */
  blocks: table([], ['chain_id', 'number'], { chain_id: integer, number: integer, hash: text, time: integer }),
  /** The highest block of each chain that has a stored log. */
  chains: table([], ['chain_id'], {
    chain_id: integer,
    block_number: integer,
    block_hash: text,
    block_time: integer,
  }),
  /** The indexer's cursor of each chain: every log up to this block is stored. Requests wait for it. */
  cursors: table(['cursors'], ['chain_id'], {
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
  recent_blocks: table([], ['chain_id', 'number'], { chain_id: integer, number: integer, hash: text }),
  /** The contracts that a chain was indexed from, the first block, and whether it still is indexed: 1 or 0. */
  indexed_contracts: table([], ['chain_id'], {
    chain_id: integer,
    contracts: text,
    start_block: integer,
    is_indexed: integer,
    /** A checksum of the added contracts of which all logs up to the cursor are stored; 0 if there are none. */
    history: integer,
  }),
  /**
   * The contracts that were added to a deployment. What the cursor of the chain had passed by then is read by a cursor of
   * their own: all logs up to `number` are stored, and those above `target`, where the one of the chain goes on.
   */
  added_contracts: table([], ['chain_id', 'address'], {
    chain_id: integer,
    address: text,
    start_block: integer,
    number: integer,
    target: integer,
  }),
  /** Why a chain is not being indexed; no row while it is. `since` is in Unix milliseconds. */
  chain_faults: table([], ['chain_id'], { chain_id: integer, code: text, message: text, since: integer }),
  /** The process that holds the indexer lock. On SQLite it raises `renewals` while it does. */
  leases: table([], ['name'], { name: text, holder: text, renewals: integer }),
  /** The indexer's counters, which serving processes export as metrics. */
  counters: table([], ['name', 'label'], { name: text, label: text, value: integer }),

  lists: table(['graph'], ['id'], {
    id,
    token_id: text,
    owner: nullable(idOf('accounts')),
    slot: nullable(idOf('slots')),
    /** The account that the list belongs to, see `accountOfList`. Stored because every lookup by list needs it. */
    account: nullable(idOf('accounts')),
  }),
  /** The accounts that lists belong to, each with the greatest token id of its lists. */
  minters: table(['graph'], ['account'], { account: idOf('accounts'), token_id: text }),
  slots: table(['graph'], ['id'], {
    id,
    key: text,
    user: nullable(idOf('accounts')),
    manager: nullable(idOf('accounts')),
  }),
  /** Every address that a log names. */
  accounts: table(['graph'], ['id'], {
    id,
    address: text,
    /** The list that the account names, which need not be valid or exist. */
    primary_list: nullable(idOf('lists')),
    /** Token id of the valid primary list. */
    active_list: nullable(text),
    active_slot: nullable(idOf('slots')),
    ...counts,
    ...rareCounts,
    /** In how many slots the account is a record. */
    listed: number,
    /** How many lists were minted to it. */
    minted: number,
  }),
  tags: table(['graph'], ['id'], { id, tag: text }),

  /** One row per present record of a slot, whether or not the slot is active. */
  records: table(['graph'], ['slot', 'time', 'address_key'], {
    slot: idOf('slots'),
    time: integer,
    /** Of `account`. */
    address_key,
    account: idOf('accounts'),
    relation,
    /** 1 if `record_tags` has rows of the record. */
    tagged: small,
  }),
  record_tags: table(['graph'], ['slot', 'account', 'tag'], {
    slot: idOf('slots'),
    account: idOf('accounts'),
    tag: idOf('tags'),
  }),
  /**
   * One row per edge to an account: a record of the active slot of `source` that names `target`. Followers are the edges
   * whose relation is follow.
   */
  edges: table(['graph'], ['target', 'time', 'address_key'], {
    target: idOf('accounts'),
    time: integer,
    /** Of `source`. */
    address_key,
    source: idOf('accounts'),
    relation,
    /** The relation of the target's own edge to `source`, see `backCode`. */
    back: small,
    /** Follower count of `source` as of the last ranking; 0 if it is not on the leaderboard. */
    popularity: of('ranks', number),
    /** 1 if the record has tags. */
    tagged: small,
  }),
  /** One row per tag of an edge. */
  edge_tags: table(['graph'], ['target', 'tag', 'time', 'address_key'], {
    target: idOf('accounts'),
    tag: idOf('tags'),
    time: integer,
    address_key,
    source: idOf('accounts'),
    relation,
    back: small,
    popularity: of('ranks', number),
  }),
  /** One row per list op that targets an account and is in the active slot of another one, `source`. */
  notifications: table(['graph'], ['target', 'time', 'chain_id', 'block_number', 'log_index'], {
    target: idOf('accounts'),
    time: integer,
    chain_id: integer,
    block_number: integer,
    log_index: number,
    source: idOf('accounts'),
    opcode: small,
    /** 0 if the op carries no tag. */
    tag: idOf('tags'),
  }),
  /** The leaderboard as last computed. */
  leaderboard: table(['ranks'], ['account'], { account: idOf('accounts'), address_key, ...counts }),
  /** Counts as of the last ranking that few accounts have. An account without any of them has no row. */
  rare_counts: table(['ranks'], ['account'], { account: idOf('accounts'), address_key, ...rareCounts }),
  /** How many accounts have each count, as of the last ranking. Ranks are not stored: one new follower would rewrite thousands. */
  ranked_counts: table(['ranks'], ['measure', 'count'], {
    measure: column<Measure>('text'),
    count: number,
    accounts: number,
  }),
  /** The accounts whose counts have changed since the last ranking. */
  changed_accounts: table([], ['account'], { account: idOf('accounts') }),
  /** Accounts whose edges do not have the popularity of the last ranking yet, except those to the accounts up to `patched`. */
  popularity_changes: table([], ['account'], { account: idOf('accounts'), patched: idOf('accounts') }),
  /**
   * The last changes of what the leaderboard is searched by: an account that joined, left, has other followers as of a
   * ranking, or another name; 0 for all accounts. Each process follows them with its members in memory.
   */
  search_changes: table([], ['sequence'], {
    sequence: integer,
    account: id,
    /** Random: a database that lost commits reaches the same sequence with other changes. */
    version: integer,
  }),

  /** Profiles from ENS, of any address. `fresh` is in Unix milliseconds. */
  profiles: table(['profiles', 'names'], ['address'], {
    address: text,
    name: text,
    /** The name in lower case, for searching. */
    search_name: text,
    avatar: text,
    header: text,
    fresh: of('profiles', integer),
    /** The whole profile as JSON. */
    ens: of('profiles', text),
  }),
  /** What `cache=fresh` resolved names to in the last minute; null: to no account. `resolved_at` is in Unix milliseconds. */
  resolved_names: table(['profiles', 'names'], ['name'], { name: text, address: nullable(text), resolved_at: integer }),
  /** A priority queue of profiles to fetch: lowest `priority` first. */
  wanted_profiles: table([], ['address'], { address: text, priority: integer }),
  /** Attempts of the background refresh that did not fetch a whole profile. */
  profile_attempts: table([], ['address'], {
    address: text,
    /** Consecutive attempts without a profile. */
    attempts: integer,
    /** 1 from before the attempt until its result is stored, so after a crash as well. */
    is_open: small,
    /** No attempt is made earlier. In Unix milliseconds. */
    retry_at: integer,
  }),
  /** `collection` is null if the account does not hold the badge. `checked_at` is in Unix milliseconds. */
  badges: table(['badges'], ['address', 'event_id'], {
    address: text,
    event_id: text,
    collection: nullable(text),
    checked_at: integer,
  }),
  /** Numbers about the database itself. */
  state: table('by key', ['key'], { key: column<StateKey>('text'), value: integer }),
};

type Definitions = typeof definitions;
type Value<C> = C extends ColumnSpec<infer V> ? V : never;
type RowOf<Columns> = { -readonly [C in keyof Columns]: Value<Columns[C]> };

export type Tables = { [T in keyof Definitions]: RowOf<Definitions[T]['columns']> };
export type TableName = keyof Tables;
export type Row<T extends TableName> = Tables[T];
export type Column<T extends TableName> = keyof Tables[T] & string;

export interface TableSpec<T extends TableName> {
  /** `by key`: see `sourceOfState`. */
  readonly sources: readonly Changed[] | 'by key';
  readonly key: readonly Column<T>[];
  readonly columns: { readonly [C in Column<T>]: ColumnSpec };
}

export const TABLES: { readonly [T in TableName]: TableSpec<T> } = definitions;

// Safe: the object has no other properties.
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** A row without any fact: null or 0 in every column that may be absent. */
export function blankRow<T extends Entity>(table: T): Row<T> {
  const blanks = Object.entries<ColumnSpec>(TABLES[table].columns).map(([name, { isNullable }]) => [
    name,
    isNullable ? null : 0,
  ]);
  // Safe: the caller sets the id and the key, the only other columns.
  return Object.fromEntries(blanks) as Row<T>;
}

/** The columns of a table, in the order in which rows are written. */
export function columnsOf(table: TableName): string[] {
  return Object.keys(TABLES[table].columns);
}
