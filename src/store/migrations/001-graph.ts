import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { executeAll } from './statements.ts';

export async function createGraph(db: Kysely<unknown>, { types, clustered, keyDescending }: Dialect): Promise<void> {
  const { text, integer } = types;
  const statements = [
    `create table logs (
      chain_id ${integer} not null, block_number ${integer} not null, log_index ${integer} not null,
      subject ${integer} not null, part ${text} not null, block_time ${integer} not null, payload ${text} not null,
      primary key (chain_id, block_number, log_index)
    ) ${clustered}`,
    'create index logs_cell on logs (subject, part, block_number, log_index)',
    `create table subjects (id ${integer} primary key, key ${text} not null unique)`,

    `create table blocks (
      chain_id ${integer} not null, number ${integer} not null, hash ${text} not null, time ${integer} not null,
      primary key (chain_id, number)
    ) ${clustered}`,
    `create table chains (
      chain_id ${integer} primary key, block_number ${integer} not null,
      block_hash ${text} not null, block_time ${integer} not null
    )`,
    `create table cursors (
      chain_id ${integer} primary key, number ${integer} not null, hash ${text} not null, time ${integer} not null,
      head_number ${integer} not null, head_time ${integer} not null, finalized_number ${integer} not null,
      checked_at ${integer} not null
    )`,
    `create table recent_blocks (
      chain_id ${integer} not null, number ${integer} not null, hash ${text} not null, primary key (chain_id, number)
    ) ${clustered}`,
    `create table leases (name ${text} primary key, holder ${text} not null, expires_at ${integer} not null)`,
    `create table counters (name ${text} not null, label ${text} not null, value ${integer} not null,
      primary key (name, label))`,

    `create table lists (token_id ${text} primary key, owner ${text}, slot ${text}) ${clustered}`,
    `create table slots (key ${text} primary key, "user" ${text}, manager ${text}) ${clustered}`,
    `create table accounts (
      address ${text} primary key, primary_list ${text}, active_list ${text}, active_slot ${text},
      followers ${integer} not null, following ${integer} not null, mutuals ${integer} not null,
      blocks ${integer} not null, top8 ${integer} not null, popularity ${integer} not null
    ) ${clustered}`,
    // The accounts whose popularity is stale.
    'create index accounts_to_place on accounts (address) where popularity <> followers',

    `create table followers (
      target ${text} not null, time ${integer} not null, address ${text} not null,
      popularity ${integer} not null, hidden ${integer} not null, entry ${text} not null,
      primary key (target, time ${keyDescending}, address)
    ) ${clustered}`,
    ...ordersOf('followers', 'target', keyDescending),

    `create table follower_tags (
      target ${text} not null, tag ${text} not null, time ${integer} not null, address ${text} not null,
      popularity ${integer} not null, hidden ${integer} not null,
      primary key (target, tag, time ${keyDescending}, address)
    ) ${clustered}`,
    ...ordersOf('follower_tags', 'target, tag', keyDescending),

    `create table notifications (
      target ${text} not null, time ${integer} not null, chain_id ${integer} not null,
      block_number ${integer} not null, log_index ${integer} not null,
      opcode ${integer} not null, tag ${text} not null, entry ${text} not null,
      primary key (target, time, chain_id, block_number, log_index)
    ) ${clustered}`,
    `create index notifications_by_opcode on notifications
      (target, opcode, time, chain_id, block_number, log_index)`,
    `create index notifications_by_tag on notifications
      (target, tag, time, chain_id, block_number, log_index) where tag <> ''`,
    `create index notifications_by_tag_opcode on notifications
      (target, tag, opcode, time, chain_id, block_number, log_index) where tag <> ''`,

    `create table leaderboard (
      address ${text} primary key, position ${integer} not null, name ${text} not null,
      mutuals_rank ${integer} not null, followers_rank ${integer} not null, following_rank ${integer} not null,
      top8_rank ${integer} not null, blocks_rank ${integer} not null, entry ${text} not null
    ) ${clustered}`,
    'create index leaderboard_position on leaderboard (position)',

    `create table profiles (
      address ${text} primary key, name ${text} not null, avatar ${text} not null,
      fresh ${integer} not null, ens ${text} not null
    ) ${clustered}`,
    "create index profiles_name on profiles (name, fresh, address) where name <> ''",
    `create table badges (
      address ${text} not null, event_id ${text} not null, collection ${text}, checked_at ${integer} not null,
      primary key (address, event_id)
    ) ${clustered}`,
    `create table state (key ${text} primary key, value ${integer} not null) ${clustered}`,
    `insert into state select value, 0 from (${[
      'data_version',
      'graph_version',
      'ranks_graph_version',
      'ranks_made_at',
      'logs',
      'ignored_ops',
      'unfolded_logs',
      'logs_mark',
      'lists',
      'accounts',
      'follows',
      'ranked',
    ]
      .map((key) => `select '${key}' as value`)
      .join(' union all ')}) as keys`,
  ];
  await executeAll(db, statements);
}

/** Indexes for the sort orders that the primary key does not provide. They end in `hidden` to filter without row lookups. */
function ordersOf(table: string, scope: string, keyDescending: string): string[] {
  return [
    keyDescending
      ? `create index ${table}_earliest on ${table} (${scope}, time, address, hidden)`
      : `create index ${table}_latest on ${table} (${scope}, time desc, address, hidden)`,
    `create index ${table}_popular on ${table} (${scope}, popularity desc, address, hidden)`,
  ];
}
