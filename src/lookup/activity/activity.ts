import { sql } from 'kysely';
import type { ActivityBody } from '../../contract/schemas.ts';
import { OPCODES } from '../../protocol/list-op.ts';
import { param } from '../../store/params.ts';
import { columns, optional, select, statements } from '../../store/statement.ts';
import type { Reader, SnapshotReader, StreamReader } from '../../store/store.ts';
import { KEEP_ORDER, PAGE, type Paged, WHOLE } from '../page.ts';
import { type AccountRef, aboutRef, readAbout, SLOT, streamAbout } from '../refs/account-ref.ts';
import {
  type AllOps,
  entryOf,
  type NotificationsPage,
  type OpParams,
  type OpRow,
  pageOfOps,
  paramsOf,
  tagOf,
} from './notifications.ts';

const page = columns('logs', 'page');
const { name, avatar } = optional('profiles');
const OP = {
  address: columns('accounts', 'target').address,
  ...{ name, avatar },
  time: page.block_time,
  chain_id: page.chain_id,
  block_number: page.block_number,
  log_index: page.log_index,
  opcode: page.opcode,
  payload: page.payload,
};

/** One range of the index, read backwards. Tags are not in it: their bytes have many forms. */
const doneIn = statements((byOpcode: boolean, byTag: boolean, isContinued: boolean) =>
  aboutRef<OpParams>()(({ dialect }) => {
    const conditions = [
      sql`subject = ${SLOT} and block_time >= ${param('begin')} and block_time <= ${param('end')}`,
      // The literal lets the planner use the partial index.
      sql`opcode > 0`,
      ...(byOpcode ? [sql`opcode = ${param('opcode')}`] : []),
      ...(byTag ? [sql`opcode >= ${sql.lit(OPCODES.tag)}`] : []),
      // The parameter `end` is the time of the last entry then. The ops of a slot are of one chain.
      ...(isContinued
        ? [
            sql`(block_time, block_number, log_index) <
              (${param('end')}, ${param('after_block')}, ${param('after_log')})`,
          ]
        : []),
    ];
    const page = sql`select * from ${sql.raw(`logs ${dialect.indexHint('logs_activity')}`)}
      where ${sql.join(conditions, sql` and `)}
      order by block_time desc, block_number desc, log_index desc ${PAGE}`;
    return select(
      OP,
      sql`from (${page}) as page join accounts as target on target.id = page.part
        left join profiles on profiles.address = target.address
        order by page.block_time desc, page.block_number desc, page.log_index desc ${KEEP_ORDER}`,
    );
  }),
);

/** The ops of the slot of an account or a list, newest first. */
export async function readActivity(
  store: Reader & SnapshotReader,
  ref: AccountRef,
  query: NotificationsPage,
): Promise<Paged<ActivityBody>> {
  const readFrom = (reader: Reader) => (params: OpParams, isContinued: boolean) =>
    readAbout(reader, doneIn(query.opcode !== 0, query.tag !== '', isContinued), ref, params);
  const params = paramsOf(query);
  const isContinued = query.cursor !== null;
  const { referent, rows } = await (query.tag === ''
    ? readFrom(store)(params, isContinued)
    : store.snapshot((reader) => readTagged(readFrom(reader), params, isContinued)));
  const op = (row: OpRow) => entryOf(row, row.address, referent.ref_list);
  return pageOfOps(query, rows, (summary, some) => ({ summary, activity: some.map(op) }));
}

/** All of them. */
export async function* streamActivity(
  reader: StreamReader,
  ref: AccountRef,
  ops: AllOps,
): AsyncGenerator<Pick<ActivityBody, 'activity'>> {
  const { opcode, tag } = ops;
  const params = paramsOf({ ...ops, ...WHOLE });
  for await (const { referent, rows } of streamAbout(reader, doneIn(opcode !== 0, tag !== '', false), ref, params)) {
    const found = tag === '' ? rows : rows.filter((row) => tagOf(row) === tag);
    yield { activity: found.map((row) => entryOf(row, row.address, referent.ref_list)) };
  }
}

/** Rows that are read at once when those of a tag are looked for. */
const TAGGED_ROWS = 1_000;

/** Looks through the tag ops until the page is full. */
async function readTagged<H>(
  read: (params: OpParams, isContinued: boolean) => Promise<{ referent: H; rows: readonly OpRow[] }>,
  { offset, limit, ...first }: OpParams,
  isContinued: boolean,
): Promise<{ referent: H; rows: readonly OpRow[] }> {
  const found: OpRow[] = [];
  for (let params = { ...first, offset: 0, limit: TAGGED_ROWS }, isNext = isContinued; ; isNext = true) {
    const { referent, rows } = await read(params, isNext);
    for (const row of rows) if (tagOf(row) === params.tag) found.push(row);
    const last = rows[TAGGED_ROWS - 1];
    if (last === undefined || found.length >= offset + limit)
      return { referent, rows: found.slice(offset, offset + limit) };
    params = { ...params, end: last.time, after_block: last.block_number, after_log: last.log_index };
  }
}
