import { type RawBuilder, sql } from 'kysely';
import type { Address } from '../protocol/hex.ts';
import type { SlotKey } from '../protocol/register-values.ts';
import { param, rowCount } from '../store/params.ts';
import { REGISTER_PARTS } from '../store/schema.ts';
import { columns, optional, type RowOf, select, splitHead, statement, withHead } from '../store/statement.ts';
import type { Reader } from '../store/store.ts';
import { type ChainPosition, hashPrefix, type Position } from './position.ts';

const CHAIN = sql<number>`${param('chain')}`;
const logs = columns('logs');
const register = (name: keyof typeof REGISTER_PARTS) => sql.lit(REGISTER_PARTS[name]);
const historyOf = (chain: RawBuilder<unknown>) =>
  sql<number>`coalesce((select history from indexed_contracts where chain_id = ${chain}), 0)`;
const stateOf = (key: 'is_loaded' | 'unfolded_logs') =>
  sql<number>`(select value from state where key = ${sql.lit(key)})`;

/** The payload of the last log of the same subject before this one that sets a register. */
const before = (part: ReturnType<typeof sql>) => sql<string | null>`(select payload from logs as earlier
  where earlier.subject = logs.subject and earlier.part = ${part}
    and (earlier.block_number, earlier.log_index) < (logs.block_number, logs.log_index)
  order by earlier.block_number desc, earlier.log_index desc limit 1)`;

/** A slot may have any number of lists: two are enough to know that it has several. */
const listsInSlot = sql`(select * from lists where lists.slot = slots.id and lists.owner is not null limit 2) as shared`;
const onlyList = (column: 'token_id' | 'owner') =>
  sql`(select case when count(*) = 1 then min(${sql.ref(column)}) end from ${listsInSlot})`;

const users = optional('accounts', 'users');
const LOG = {
  block: logs.block_number,
  time: logs.block_time,
  index: logs.log_index,
  ...{ part: logs.part, opcode: logs.opcode, payload: logs.payload },
  hash: columns('blocks').hash,
  /** The subject: one of them is set. */
  token_id: optional('lists', 'named').token_id,
  slot: sql<SlotKey | null>`slots.key`,
  account: optional('accounts', 'subjects').address,
  /** The record of a list op. */
  record: optional('accounts', 'records').address,
  user: users.address,
  /** The list that has the records of the slot as a valid primary list. */
  primary_list: sql<string | null>`case when users.active_slot = slots.id then users.active_list end`,
  /** The list of a slot that has one only. */
  only_list: sql<string | null>`case when users.active_slot = slots.id then null else ${onlyList('token_id')} end`,
  only_owner: sql<Address | null>`case when slots."user" is null then
    (select address from accounts where id = ${onlyList('owner')}) end`,
  /** The value of the register before this log. */
  previous: sql<
    string | null
  >`case when logs.part in (${register('owner')}, ${register('location')}, ${register('primary-list')})
    then ${before(sql`logs.part`)} end`,
  /** The owner at this log, without 0x. */
  owner: sql<string | null>`case when logs.part = ${register('location')} then ${before(register('owner'))} end`,
};
export type LogRow = RowOf<typeof LOG>;

interface PageParams {
  readonly chain: number;
  readonly block: number;
  readonly index: number;
  readonly to_block: number;
  readonly to_index: number;
  readonly limit: number;
}

const HEAD = {
  hash_at: sql<string | null>`(select hash from blocks where chain_id = ${CHAIN} and number = ${param('block')})`,
  final: sql<number | null>`(select finalized_number from cursors where chain_id = ${CHAIN})`,
  highest: sql<number | null>`(select block_number from chains where chain_id = ${CHAIN})`,
  history: historyOf(CHAIN),
  is_loaded: stateOf('is_loaded'),
  unfolded: stateOf('unfolded_logs'),
};

/** The logs of a chain in a range, after the facts about the chain in the same snapshot. */
const PAGE = statement<PageParams>()(() => {
  const range = sql`(select * from logs where chain_id = ${CHAIN}
      and (block_number, log_index) > (${param('block')}, ${param('index')})
      and (block_number, log_index) <= (${param('to_block')}, ${param('to_index')})
    order by block_number, log_index limit ${rowCount('limit')}) as logs`;
  const page = select(
    LOG,
    sql`from ${range} join blocks on blocks.chain_id = logs.chain_id and blocks.number = logs.block_number
      left join lists as named on named.id = logs.subject left join slots on slots.id = logs.subject
      left join accounts as subjects on subjects.id = logs.subject
      left join accounts as records on records.id = logs.part
      left join accounts as users on users.id = slots."user"
      order by logs.block_number, logs.log_index limit ${rowCount('limit')}`,
  );
  return withHead(select(HEAD), page).query;
});

/** Before the first log of a chain. */
const START = { block: -1, index: -1 } as const;
const MAX_NUMBER = 2 ** 52;
const MAX_INDEX = 2 ** 31 - 1;
export const NO_BOUND = { block: MAX_NUMBER, index: MAX_INDEX } as const;

export interface LogPage {
  readonly rows: readonly LogRow[];
  /** The last final block of the chain in this snapshot. All blocks of a chain that is not indexed are final. */
  readonly final: number;
  readonly history: number;
  /** Whether the block of the position is not stored any more, or logs below it may have been added. */
  readonly isLost: boolean;
  /** Whether logs are stored whose effect is not in the graph yet. */
  readonly isLoading: boolean;
}

/** Logs of a chain after a position, up to another one, in one snapshot. */
export async function readLogPage(
  reader: Reader,
  chain: number,
  after: ChainPosition | undefined,
  to: Pick<ChainPosition, 'block' | 'index'>,
  limit: number,
): Promise<LogPage> {
  const { block, index } = after ?? START;
  const params = { chain, block, index, to_block: to.block, to_index: to.index, limit };
  const { head, rows } = splitHead(await reader.all(PAGE, params));
  if (head === undefined) throw new Error('a statement without its first row');
  return {
    rows,
    final: head.final ?? head.highest ?? 0,
    history: head.history ?? 0,
    isLost:
      after !== undefined && (hashPrefix(head.hash_at ?? '') !== after.hash || after.history !== (head.history ?? 0)),
    isLoading: head.is_loaded !== 1 || (head.unfolded ?? 0) > 0,
  };
}

const heads = {
  is_loaded: sql<number>`loaded.value`,
  unfolded: stateOf('unfolded_logs'),
  chain: sql<number | null>`known.chain_id`,
  /** The last log. */
  block: sql<number | null>`chains.block_number`,
  hash: sql<string | null>`chains.block_hash`,
  index: sql<number | null>`(select max(log_index) from logs
    where logs.chain_id = chains.chain_id and logs.block_number = chains.block_number)`,
  history: historyOf(sql`known.chain_id`),
  /** Null if the chain is not indexed. */
  indexed: sql<number | null>`cursors.number`,
  final: sql<number | null>`cursors.finalized_number`,
};
const HEADS = statement<object>()(
  () =>
    select(
      heads,
      sql`from state as loaded
        left join (select chain_id from chains union select chain_id from cursors) as known on 1 = 1
        left join chains on chains.chain_id = known.chain_id left join cursors on cursors.chain_id = known.chain_id
        where loaded.key = 'is_loaded'`,
    ).query,
);

interface ChainHead {
  /** The last log; undefined without one. Its `final` is that of the chain. */
  readonly last: ChainPosition | undefined;
  readonly final: number;
  readonly history: number;
  /** Blocks are indexed up to this one. */
  readonly indexed: number;
}

export interface Heads {
  readonly isLoading: boolean;
  readonly chains: ReadonlyMap<number, ChainHead>;
}

/** The last log of each chain. */
export async function readHeads(reader: Reader): Promise<Heads> {
  const rows = await reader.all(HEADS, {});
  const chains = new Map<number, ChainHead>();
  for (const { chain, block, hash, index, indexed, history, final: stored } of rows) {
    if (chain === null) continue;
    const final = stored ?? block ?? 0;
    const last =
      block === null || hash === null || index === null
        ? undefined
        : { block, index, hash: hashPrefix(hash), final, history };
    chains.set(chain, { last, final, history, indexed: Math.max(indexed ?? 0, block ?? 0) });
  }
  return { isLoading: rows.some(({ is_loaded, unfolded }) => is_loaded !== 1 || (unfolded ?? 0) > 0), chains };
}

const BLOCKS = statement<{ chain: number; from: number; to: number; limit: number }>()(
  () =>
    select(
      {
        number: columns('blocks').number,
        hash: columns('blocks').hash,
        index: sql<number | null>`(select max(log_index) from logs
          where logs.chain_id = blocks.chain_id and logs.block_number = blocks.number)`,
      },
      sql`from blocks where chain_id = ${CHAIN} and number >= ${param('from')} and number <= ${param('to')}
        order by number desc limit ${rowCount('limit')}`,
    ).query,
);

export interface StoredBlock {
  readonly number: number;
  readonly hash: string;
  /** Of its last log. */
  readonly index: number;
}

/** The highest stored blocks of a range, the last one first. */
export async function readBlocks(
  reader: Reader,
  chain: number,
  { from, to, limit }: { readonly from: number; readonly to: number; readonly limit: number },
): Promise<StoredBlock[]> {
  return (await reader.all(BLOCKS, { chain, from, to, limit })).map((row) => ({ ...row, index: row.index ?? 0 }));
}

export const FINALITIES = ['latest', 'finalized'] as const;
export type Finality = (typeof FINALITIES)[number];

/** The last logs, or the last final ones. */
export async function readNow(reader: Reader, { chains }: Heads, finality: Finality): Promise<Position> {
  const now = new Map<number, ChainPosition>();
  for (const [chain, { last, final, history }] of chains) {
    if (last === undefined) continue;
    if (finality === 'latest' || last.block <= final) {
      now.set(chain, last);
      continue;
    }
    const [block] = await readBlocks(reader, chain, { from: 0, to: final, limit: 1 });
    if (block === undefined) continue;
    now.set(chain, { block: block.number, index: block.index, hash: hashPrefix(block.hash), final, history });
  }
  return now;
}

const HISTORY = statement<{ chain: number }>()(
  () =>
    select(
      {
        history: historyOf(CHAIN),
        start: sql<number | null>`(select min(start_block) from added_contracts where chain_id = ${CHAIN})`,
      },
      sql`from state where key = 'is_loaded'`,
    ).query,
);

/** Which added contracts of a chain are complete, and a block before the first log of any of them. */
export async function readHistory(reader: Reader, chain: number): Promise<{ history: number; start: number }> {
  const [row] = await reader.all(HISTORY, { chain });
  return { history: row?.history ?? 0, start: row?.start ?? 0 };
}

interface BackParams {
  readonly chain: number;
  readonly to_block: number;
  readonly to_index: number;
  readonly logs: number;
  readonly limit: number;
}

const BACK = statement<BackParams>()(
  () =>
    select(
      { block: logs.block_number, index: logs.log_index, time: logs.block_time, hash: columns('blocks').hash },
      sql`from (select * from logs where chain_id = ${CHAIN}
            and (block_number, log_index) <= (${param('to_block')}, ${param('to_index')})
          order by block_number desc, log_index desc limit ${rowCount('limit')} offset ${rowCount('logs')}) as logs
        join blocks on blocks.chain_id = logs.chain_id and blocks.number = logs.block_number`,
    ).query,
);

/** The log that is so many logs before another one, with its time. Undefined if there are fewer. */
export async function readLogBefore(
  reader: Reader,
  chain: number,
  to: ChainPosition,
  logs: number,
): Promise<{ readonly place: ChainPosition; readonly time: number } | undefined> {
  const [row] = await reader.all(BACK, { chain, to_block: to.block, to_index: to.index, logs, limit: 1 });
  if (row === undefined) return undefined;
  return { place: { ...to, block: row.block, index: row.index, hash: hashPrefix(row.hash) }, time: row.time };
}
