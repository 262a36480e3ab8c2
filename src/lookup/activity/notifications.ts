import { sql } from 'kysely';
import { isoFromSeconds } from '../../contract/iso-time.ts';
import type { Notification, NotificationSummary, NotificationsBody } from '../../contract/schemas.ts';
import type { Address } from '../../protocol/hex.ts';
import { ACTIONS, OPCODES, type Opcode, plainOp } from '../../protocol/list-op.ts';
import { decodeTag } from '../../protocol/tag.ts';
import { param } from '../../store/params.ts';
import { columns, optional, select, statements } from '../../store/statement.ts';
import type { Reader, StreamReader } from '../../store/store.ts';
import { isWhole, KEEP_ORDER, PAGE, type Page, type Paged, pageBody, splitPage, WHOLE } from '../page.ts';
import { ACCOUNT, type AccountRef, aboutRef, readAbout, streamAbout } from '../refs/account-ref.ts';

/** The length of each interval in hours; `all` has no lower bound and is shown as 999. */
const HOURS = { hour: 1, day: 24, week: 168, month: 720, all: 999 } as const;
export type Interval = keyof typeof HOURS;
// Safe: the keys of a literal object are known.
export const INTERVALS = Object.keys(HOURS) as Interval[];

export interface NotificationsPage extends Page {
  /** 0 for all. */
  readonly opcode: number;
  readonly interval: Interval;
  /** Unix seconds at which the interval ends. */
  readonly end: number;
  /** Normalised; empty for none. */
  readonly tag: string;
  /** Where the page before ended; null for a page by offset. */
  readonly cursor: NotificationKey | null;
}

export type AllOps = Omit<NotificationsPage, keyof typeof WHOLE>;

/** The end of the interval, which may have been the time of the first request, and the position of the last entry. */
type NotificationKey = readonly [end: number, time: number, chain: number, block: number, log: number];

export function parseNotificationKey(values: readonly unknown[]): NotificationKey | undefined {
  // Safe: these are five numbers. The last has 4 bytes on PostgreSQL.
  const isKey = values.length === 5 && values.every((value, i) => isWhole(value, i === 4 ? 2 ** 31 - 1 : undefined));
  return isKey ? (values as readonly unknown[] as NotificationKey) : undefined;
}

const page = columns('notifications', 'page');
const source = columns('accounts', 'source');
const { name, avatar } = optional('profiles');
const NOTIFICATION = {
  address: source.address,
  active_list: source.active_list,
  ...{ name, avatar },
  time: page.time,
  chain_id: page.chain_id,
  block_number: page.block_number,
  log_index: page.log_index,
  opcode: page.opcode,
  payload: columns('logs').payload,
};

/** A list op, with the account that it is shown with. */
export interface OpRow {
  readonly address: Address;
  readonly name: string | null;
  readonly avatar: string | null;
  readonly time: number;
  readonly chain_id: number;
  readonly block_number: number;
  readonly log_index: number;
  readonly opcode: number;
  /** What follows the record in the op, in hex. */
  readonly payload: string;
}

export interface OpParams extends Page {
  readonly begin: number;
  readonly end: number;
  readonly opcode: number;
  readonly tag: string;
  readonly after_chain: number;
  readonly after_block: number;
  readonly after_log: number;
}

/** The parameters of a page, of one row more to know whether another page follows. */
export function paramsOf({ interval, opcode, tag, limit, offset, ...page }: NotificationsPage): OpParams {
  const [end, time, after_chain, after_block, after_log] = page.cursor ?? [page.end, page.end, 0, 0, 0];
  const begin = interval === 'all' ? 0 : end - HOURS[interval] * 3600;
  return { begin, end: time, opcode, tag, limit: limit + 1, offset, after_chain, after_block, after_log };
}

/** One range of the index that fits the filters, read backwards. */
const receivedBy = statements((byOpcode: boolean, byTag: boolean, isContinued: boolean) =>
  aboutRef<OpParams>()(({ dialect }) => {
    // Without the hint, SQLite scans all notifications of the account: 13 ms for 40,000 instead of 0.02.
    const index = byTag ? `notifications_by_tag${byOpcode ? '_opcode' : ''}` : null;
    const conditions = [
      sql`target = ${ACCOUNT} and time >= ${param('begin')} and time <= ${param('end')}`,
      ...(byOpcode ? [sql`opcode = ${param('opcode')}`] : []),
      // The literal lets the planner use the partial indexes on rows with a tag.
      ...(byTag ? [sql`tag = (select id from tags where tag = ${param('tag')}) and tag <> 0`] : []),
      // The parameter `end` is the time of the last entry then.
      ...(isContinued
        ? [
            sql`(time, chain_id, block_number, log_index) <
              (${param('end')}, ${param('after_chain')}, ${param('after_block')}, ${param('after_log')})`,
          ]
        : []),
    ];
    const page = sql`select * from ${sql.raw(`notifications ${index === null ? '' : dialect.indexHint(index)}`)}
      where ${sql.join(conditions, sql` and `)}
      order by time desc, chain_id desc, block_number desc, log_index desc ${PAGE}`;
    return select(
      NOTIFICATION,
      sql`from (${page}) as page join accounts as source on source.id = page.source
        join logs on logs.chain_id = page.chain_id and logs.block_number = page.block_number
          and logs.log_index = page.log_index
        left join profiles on profiles.address = source.address
        order by page.time desc, page.chain_id desc, page.block_number desc, page.log_index desc
        ${KEEP_ORDER}`,
    );
  }),
);

const selectReceived = (page: NotificationsPage) =>
  receivedBy(page.opcode !== 0, page.tag !== '', page.cursor !== null);

/** Ops of other accounts that name this one, newest first. */
export async function readNotifications(
  reader: Reader,
  ref: AccountRef,
  page: NotificationsPage,
): Promise<Paged<NotificationsBody>> {
  const { referent, rows } = await readAbout(reader, selectReceived(page), ref, paramsOf(page));
  const notification = (row: (typeof rows)[number]) => entryOf(row, referent.ref_address, row.active_list);
  return pageOfOps(page, rows, (summary, some) => ({ summary, notifications: some.map(notification) }));
}

/** All of them. */
export async function* streamNotifications(
  reader: StreamReader,
  ref: AccountRef,
  ops: AllOps,
): AsyncGenerator<Pick<NotificationsBody, 'notifications'>> {
  const page = { ...ops, ...WHOLE };
  for await (const { referent, rows } of streamAbout(reader, selectReceived(page), ref, paramsOf(page))) {
    const { ref_address } = referent;
    yield { notifications: rows.map((row) => entryOf(row, ref_address, row.active_list)) };
  }
}

/** A page of ops; `bodyOf` makes the body of some of its rows. */
export function pageOfOps<R extends OpRow, B>(
  { interval, opcode, limit, cursor, end }: NotificationsPage,
  rows: readonly R[],
  bodyOf: (summary: NotificationSummary, rows: readonly R[]) => B,
): Paged<B> {
  const endOf = cursor?.[0] ?? end;
  const { shown, next } = splitPage(rows, limit, (row) => [
    ...[endOf, row.time, row.chain_id, row.block_number, row.log_index],
  ]);
  const summary = summarise(interval, opcode, shown);
  return { body: pageBody(shown, (some) => bodyOf(summary, some)), next };
}

/** What an op did to the record, by the list. */
export function entryOf(row: OpRow, record: Address, list: string | null): Notification {
  // Safe: the column holds what was decoded as an opcode.
  const opcode = row.opcode as Opcode;
  return {
    address: row.address,
    name: row.name ?? '',
    avatar: row.avatar ?? '',
    token_id: list ?? '',
    action: ACTIONS[opcode],
    opcode,
    op: `${plainOp(opcode, record)}${row.payload}`,
    tag: tagOf(row),
    updated_at: isoFromSeconds(row.time),
  };
}

/** The tag of a stored op; empty for a follow or an unfollow. */
export function tagOf({ opcode, payload }: Pick<OpRow, 'opcode' | 'payload'>): string {
  if (opcode === OPCODES.follow || opcode === OPCODES.unfollow) return '';
  const decoded = decodeTag(`0x${payload}`);
  return decoded.kind === 'tag' ? decoded.tag : '';
}

function summarise(interval: Interval, opcode: number, page: readonly Pick<OpRow, 'opcode'>[]): NotificationSummary {
  const total = (code: Opcode) => page.filter((op) => op.opcode === code).length;
  return {
    interval: `${HOURS[interval]}:00:00(hrs)`,
    opcode: opcode === 0 ? 'all' : String(opcode),
    total: page.length,
    total_follows: total(OPCODES.follow),
    total_unfollows: total(OPCODES.unfollow),
    total_tags: total(OPCODES.tag),
    total_untags: total(OPCODES.untag),
  };
}
