import type { Counts } from '../graph/counts.ts';
import type { Hex } from '../protocol/hex.ts';

/**
 * Every table, once. `logs` and `blocks` are the truth, `profiles` and `badges` what the sources said;
 * all else is computed from them and stored in the form and the order in which it is asked for.
 */
export interface Tables {
  /** What the chains said, a row per log that means something, with the cell that it writes. */
  logs: {
    chain_id: number;
    block_number: number;
    log_index: number;
    /** A number of `subjects`. */
    subject: number;
    part: string;
    block_time: number;
    /** Hex: text costs a few bytes more than bytes, but half as much time to bind. */
    payload: Hex;
  };
  /** The lists, slots and accounts that logs are about: a number is a tenth of a slot's key. */
  subjects: { id: number; key: string };
  /** The blocks that our logs are in: a second hash for a height is another branch, not a duplicate. */
  blocks: { chain_id: number; number: number; hash: string; time: number };
  /** The highest block that any log of a chain is in. */
  chains: { chain_id: number; block_number: number; block_hash: string; block_time: number };
  /** How far the indexer has followed each chain: every log up to here is stored. */
  cursors: {
    chain_id: number;
    number: number;
    hash: string;
    time: number;
    /** The chain itself, as its node last told. */
    head_number: number;
    head_time: number;
    finalized_number: number;
    /** When it told, Unix milliseconds. */
    checked_at: number;
  };
  /** The blocks that may still be taken back, and the last that may not. */
  recent_blocks: { chain_id: number; number: number; hash: string };
  /** Who may index. */
  leases: { name: string; holder: string; expires_at: number };
  /** What has happened to the indexer, for the metrics of other processes. */
  counters: { name: string; label: string; value: number };

  lists: {
    token_id: string;
    owner: string | null;
    slot: string | null;
    /** Whom the list stands for, see `accountOfList`: looked up with every question that names a list. */
    account: string | null;
  };
  slots: { key: string; user: string | null; manager: string | null };
  accounts: Counts & {
    address: string;
    primary_list: string | null;
    active_list: string | null;
    active_slot: string | null;
  };

  /** A row per follow edge: `address` follows `target`. `hidden`: the target blocks or mutes it. */
  followers: {
    target: string;
    time: number;
    address: string;
    /** Follower count of `address` as of the last ranking, 0 if it is not on the leaderboard. */
    popularity: number;
    hidden: number;
    entry: string;
  };
  /** The tags of those edges. */
  follower_tags: {
    target: string;
    tag: string;
    time: number;
    address: string;
    popularity: number;
    hidden: number;
  };
  /** A row per op that an account received from another account's active slot. */
  notifications: {
    target: string;
    time: number;
    chain_id: number;
    block_number: number;
    log_index: number;
    opcode: number;
    tag: string;
    entry: string;
  };
  /** The leaderboard as last made, in its order: by place, then address. */
  leaderboard: Counts & {
    /** Sort key, see `sortKeyOf`. */
    place: number;
    address: string;
    /** In lower case, for searching. */
    name: string;
    /** See `storedEntry`. */
    entry: string;
  };
  /** The rank that goes with each count: when one account gains a follower, thousands change theirs. */
  ranks: { measure: keyof Counts; count: number; rank: number };

  profiles: { address: string; name: string; avatar: string; fresh: number; ens: string };
  /** What is told about an account, in one place. Whoever has none of it has no row. Counts are those on the leaderboard. */
  details: { [C in keyof Counts]: number | null } & {
    address: string;
    active_list: string | null;
    ens: string | null;
  };
  /** Accounts whose profile should be fetched before those of others; the lower `turn`, the sooner. */
  wanted_profiles: { address: string; turn: number };
  /** `collection` is null when the account was found not to hold the badge. */
  badges: { address: string; event_id: string; collection: string | null; checked_at: number };
  /** Numbers about the database itself, see `StateKey`. */
  state: { key: StateKey; value: number };
}

/**
 * `data_version` rises with every commit that changes an answer, `graph_version` with every change of the graph;
 * `ranks_*` tell when, and from which graph, ranks were made; `board_version` rises with every change of the leaderboard;
 * `logs_mark` is a number that nobody can guess, another one after every change of `logs`; the rest are counts of rows,
 * kept because counting them takes as long as the graph is large.
 */
export type StateKey =
  | 'data_version'
  | 'graph_version'
  | 'ranks_graph_version'
  | 'ranks_made_at'
  | 'board_version'
  | 'logs'
  | 'ignored_ops'
  | 'unfolded_logs'
  | 'logs_mark'
  | 'lists'
  | 'accounts'
  | 'follows'
  | 'ranked';

export type TableName = keyof Tables;
export type Row<T extends TableName> = Tables[T];
export type Column<T extends TableName> = keyof Tables[T] & string;
