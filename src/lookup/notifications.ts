import { sql } from 'kysely';
import { notificationsBody } from '../contract/bodies.ts';
import type { NotificationSummary } from '../contract/schemas.ts';
import type { Address } from '../protocol/hex.ts';
import { OPCODES } from '../protocol/list-op.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { BuildQuery, Query, Reader } from '../store/store.ts';

/** Hours that each interval looks back; `all` has no lower end and is told as 999. */
const HOURS = { hour: 1, day: 24, week: 168, month: 720, all: 999 } as const;
export type Interval = keyof typeof HOURS;
// Safe: the keys of a literal object are known.
export const INTERVALS = Object.keys(HOURS) as Interval[];

export interface NotificationsPage {
  /** 0 for any. */
  readonly opcode: number;
  readonly interval: Interval;
  /** Unix seconds at which the interval ends. */
  readonly end: number;
  /** Normalised; empty for none. */
  readonly tag: string;
  readonly limit: number;
  readonly offset: number;
}

interface Received {
  opcode: number;
  entry: string;
}

type Params = Omit<NotificationsPage, 'interval'> & { account: string; begin: number };

/** What other accounts did to this one, newest first. */
export function createNotificationsLookup(
  reader: Reader,
): (account: Address, page: NotificationsPage) => Promise<string> {
  const statements = new Map<string, Query<Params, Received>>();
  const statement = (byOpcode: boolean, byTag: boolean) => {
    const key = `${byOpcode} ${byTag}`;
    let query = statements.get(key);
    if (query === undefined) statements.set(key, (query = reader.prepare(receivedPage(byOpcode, byTag))));
    return query;
  };
  return async (account, { interval, ...page }) => {
    const begin = interval === 'all' ? 0 : page.end - HOURS[interval] * 3600;
    const received = await statement(page.opcode !== 0, page.tag !== '')({ ...page, account, begin });
    const entries = received.map(({ entry }) => entry);
    return notificationsBody(summarise(interval, page.opcode, received), entries);
  };
}

/** One range of the index that fits the filters, read backwards. */
function receivedPage(byOpcode: boolean, byTag: boolean): BuildQuery<Received> {
  return (db) =>
    db
      .selectFrom('notifications')
      .select(['opcode', 'entry'])
      .where('target', '=', param<string>('account'))
      .$if(byOpcode, (query) => query.where('opcode', '=', param<number>('opcode')))
      // The literal lets the planner use the indexes that hold tagged rows alone.
      .$if(byTag, (query) => query.where('tag', '=', param<string>('tag')).where('tag', '<>', sql.lit('')))
      .where('time', '>=', param<number>('begin'))
      .where('time', '<=', param<number>('end'))
      .orderBy('time', 'desc')
      .orderBy('chain_id', 'desc')
      .orderBy('block_number', 'desc')
      .orderBy('log_index', 'desc')
      .limit(rowCount('limit'))
      .offset(rowCount('offset'));
}

function summarise(interval: Interval, opcode: number, received: readonly Received[]): NotificationSummary {
  const totals = [0, 0, 0, 0, 0];
  for (const notification of received) totals[notification.opcode] = (totals[notification.opcode] ?? 0) + 1;
  const total = (code: number) => totals[code] ?? 0;
  return {
    interval: `${HOURS[interval]}:00:00(hrs)`,
    opcode: opcode === 0 ? 'all' : String(opcode),
    total: received.length,
    total_follows: total(OPCODES.follow),
    total_unfollows: total(OPCODES.unfollow),
    total_tags: total(OPCODES.tag),
    total_untags: total(OPCODES.untag),
  };
}
