import { type RawBuilder, sql } from 'kysely';
import type { CsvValue } from '../../contract/csv.ts';
import { isoFromSeconds } from '../../contract/iso-time.ts';
import { RELATIONS } from '../../graph/relation.ts';
import { parseSlotKey, type SlotKey } from '../../protocol/register-values.ts';
import { param, rowCount } from '../../store/params.ts';
import { type Columns, columns, optional, type RowOf, select, statement } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';

/** A table of the whole graph: the names of its columns, and its rows, some at a time. */
export interface GraphTable {
  readonly name: string;
  readonly columns: readonly string[];
  read(reader: Reader, pageRows?: number): AsyncGenerator<CsvValue[][]>;
}

/** Rows per query: enough to share a round trip, few enough to keep memory low. */
const PAGE = 5_000;
const ADDRESS_BYTES = 20;

interface Source<C extends Columns, K extends readonly (number | Buffer)[]> {
  readonly columns: C;
  readonly from: RawBuilder<unknown>;
  /** The columns of an index that has the rows in order. */
  readonly key: readonly RawBuilder<unknown>[];
  /** How many of them are ascending; a time, which is descending, and an address may follow. */
  readonly grouped: number;
  /** Before the first row. */
  readonly start: K;
  keyOf(row: RowOf<C>): K;
  /** The fields of a row by the names of their columns. */
  fieldsOf(row: RowOf<C>): Readonly<Record<string, CsvValue>>;
}

/** Reads a table in pages: one statement would be bound by the time that a server gives it. */
function graphTable<C extends Columns, K extends readonly (number | Buffer)[]>(
  name: string,
  names: readonly string[],
  { columns, from, key, grouped, start, keyOf, fieldsOf }: Source<C, K>,
): GraphTable {
  const page = statement<Record<string, unknown>>()(() => {
    const after = (column: number) => param(`after_${column}`);
    const rowsOf = (where: RawBuilder<unknown>) =>
      select(columns, sql`${from} where ${where} ${order(key)} limit ${rowCount('limit')}`).query;
    // The rest of the group first: one range of the index each, because an account may have a million edges.
    const groups = key.slice(0, grouped);
    const beyond = sql`(${sql.join(groups)}) > (${sql.join(groups.map((_, i) => after(i)))})`;
    if (grouped === key.length) return rowsOf(beyond);
    const within = groups.map((column, i) => sql`${column} = ${after(i)}`);
    const [time, address] = [key[grouped], key[grouped + 1]];
    const rest = sql`${sql.join(within, sql` and `)} and ${time} <= ${after(grouped)}
      and (${time} < ${after(grouped)} or ${address} > ${after(grouped + 1)})`;
    return sql<RowOf<C>>`select * from (${rowsOf(rest)}) as rest
      union all select * from (${rowsOf(beyond)}) as beyond limit ${rowCount('limit')}`;
  });
  return {
    name,
    columns: names,
    async *read(reader, limit = PAGE) {
      for (let after: K | undefined = start; after !== undefined; ) {
        const params = Object.fromEntries(after.map((value, i) => [`after_${i}`, value]));
        const rows: RowOf<C>[] = await reader.all(page, { ...params, limit });
        if (rows.length > 0) {
          yield rows.map((row) => {
            const fields = fieldsOf(row);
            return names.map((column) => fields[column]);
          });
        }
        const last = rows.at(-1);
        after = last === undefined || rows.length < limit ? undefined : keyOf(last);
      }
    },
  };
}

/** In a longer key, the time before the address is descending. */
const order = (key: readonly RawBuilder<unknown>[]) =>
  sql`order by ${sql.join(key.map((column, i) => (key.length > 1 && i === key.length - 2 ? sql`${column} desc` : column)))}`;

const accounts = columns('accounts');
const sources = columns('accounts', 'sources');
const targets = columns('accounts', 'targets');
const edges = columns('edges');
const edgeTags = columns('edge_tags');
const lists = columns('lists');
const bytesOf = (address: string) => Buffer.from(address.slice(2), 'hex');

/** All tables, in the order in which they are read. */
export const GRAPH_TABLES: readonly GraphTable[] = [
  graphTable(
    'accounts',
    [
      ...['address', 'name', 'primary_list', 'followers', 'following', 'mutuals', 'top8'],
      ...['blocks', 'blocked_by', 'mutes', 'muted_by'],
    ],
    {
      columns: { ...accounts, name: optional('profiles').name },
      from: sql`from accounts left join profiles on profiles.address = accounts.address`,
      ...{ key: [accounts.id], grouped: 1 },
      start: [-1],
      keyOf: ({ id }) => [id],
      fieldsOf: ({ active_list, blocks, blocks_given, mutes, mutes_given, ...row }) => ({
        ...row,
        ...{ primary_list: active_list, blocks: blocks_given, blocked_by: blocks, mutes: mutes_given, muted_by: mutes },
      }),
    },
  ),
  graphTable('edges', ['source', 'target', 'relation', 'updated_at', 'list'], {
    columns: {
      ...{ target_id: edges.target, time: edges.time, relation: edges.relation },
      ...{ source: sources.address, list: sources.active_list, target: targets.address },
    },
    from: sql`from edges join accounts as sources on sources.id = edges.source
      join accounts as targets on targets.id = edges.target`,
    ...{ key: [edges.target, edges.time, edges.address_key], grouped: 1 },
    start: [-1, -1, Buffer.alloc(ADDRESS_BYTES)],
    keyOf: ({ target_id, time, source }) => [target_id, time, bytesOf(source)],
    fieldsOf: ({ source, target, relation, time, list }) => ({
      ...{ source, target, list },
      // Safe: the column holds the code of a relation.
      relation: RELATIONS[relation] as string,
      updated_at: isoFromSeconds(time),
    }),
  }),
  graphTable('tags', ['source', 'target', 'tag'], {
    columns: {
      ...{ target_id: edgeTags.target, tag_id: edgeTags.tag, time: edgeTags.time },
      ...{ source: sources.address, target: targets.address, tag: columns('tags').tag },
    },
    from: sql`from edge_tags join accounts as sources on sources.id = edge_tags.source
      join accounts as targets on targets.id = edge_tags.target join tags on tags.id = edge_tags.tag`,
    ...{ key: [edgeTags.target, edgeTags.tag, edgeTags.time, edgeTags.address_key], grouped: 2 },
    start: [-1, -1, -1, Buffer.alloc(ADDRESS_BYTES)],
    keyOf: ({ target_id, tag_id, time, source }) => [target_id, tag_id, time, bytesOf(source)],
    fieldsOf: ({ source, target, tag }) => ({ source, target, tag }),
  }),
  graphTable(
    'lists',
    ['token_id', 'account', 'is_primary', 'owner', 'user', 'manager', 'chain_id', 'contract', 'slot'],
    {
      columns: {
        ...{ id: lists.id, token_id: lists.token_id, key: sql<SlotKey | null>`slots.key` },
        ...{ account: accounts.address, primary: accounts.active_list },
        owner: columns('accounts', 'owners').address,
        user: optional('accounts', 'users').address,
        manager: optional('accounts', 'managers').address,
      },
      from: sql`from lists join accounts on accounts.id = lists.account join accounts as owners on owners.id = lists.owner
        left join slots on slots.id = lists.slot left join accounts as users on users.id = slots."user"
        left join accounts as managers on managers.id = slots.manager`,
      ...{ key: [lists.id], grouped: 1 },
      start: [-1],
      keyOf: ({ id }) => [id],
      fieldsOf: ({ token_id, account, primary, owner, user, manager, key }) => {
        const place = key === null ? null : parseSlotKey(key);
        return {
          ...{ token_id, account, owner, user, manager },
          is_primary: primary === token_id,
          ...{ chain_id: place?.chainId, contract: place?.contract, slot: place && BigInt(place.slot).toString() },
        };
      },
    },
  ),
];
