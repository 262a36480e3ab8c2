import { sql } from 'kysely';
import type { HistoryBody } from '../../contract/graph-schemas.ts';
import { isoFromSeconds } from '../../contract/iso-time.ts';
import { OPCODES } from '../../protocol/list-op.ts';
import { select } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { IS_FOLLOW } from '../edges/edge-lists.ts';
import { ACCOUNT, type AccountRef, aboutRef, readAbout } from '../refs/account-ref.ts';

export const HISTORY_INTERVALS = ['day', 'week', 'month'] as const;
export type HistoryInterval = (typeof HISTORY_INTERVALS)[number];

export const MAX_POINTS = 1_000;

/** Times are Unix seconds. The points are the intervals from that of `from` to that of `to`. */
export interface HistoryQuery {
  readonly interval: HistoryInterval;
  /** Null for the first interval in which an account followed or unfollowed, or the last 1,000 intervals. */
  readonly from: number | null;
  readonly to: number;
}

const DAY_SECONDS = 86_400;
const MONTHS = 12;
const FIRST_YEAR = 1970;
/** 1 January 1970 was a Thursday. */
const DAYS_SINCE_MONDAY = 3;

/** Intervals are numbered, so that those between two are known. Days are counted from 1 January 1970. */
const CALENDAR: Readonly<
  Record<HistoryInterval, { numberOf(day: number): number; firstDayOf(interval: number): number }>
> = {
  day: { numberOf: (day) => day, firstDayOf: (interval) => interval },
  week: {
    numberOf: (day) => Math.floor((day + DAYS_SINCE_MONDAY) / 7),
    firstDayOf: (interval) => interval * 7 - DAYS_SINCE_MONDAY,
  },
  month: {
    numberOf: (day) => {
      const date = new Date(day * DAY_SECONDS * 1000);
      return (date.getUTCFullYear() - FIRST_YEAR) * MONTHS + date.getUTCMonth();
    },
    firstDayOf: (interval) => Date.UTC(FIRST_YEAR, interval) / 1000 / DAY_SECONDS,
  },
};

/** The number of the interval that contains a time. */
function intervalOf(interval: HistoryInterval, time: number): number {
  return CALENDAR[interval].numberOf(Math.floor(time / DAY_SECONDS));
}

/** How many intervals there are from that of one time to that of another. */
export function countIntervals(interval: HistoryInterval, from: number, to: number): number {
  return intervalOf(interval, to) - intervalOf(interval, from) + 1;
}

const DAY = sql`time / ${sql.lit(DAY_SECONDS)}`;
const [FOLLOW, UNFOLLOW] = [sql.lit(OPCODES.follow), sql.lit(OPCODES.unfollow)];

/** What happened on each day. A follower began to follow with the first follow after its last unfollow. */
const daysOf = aboutRef(({ dialect }) => {
  const ops = sql`select source, opcode, time, block_number, log_index
    from notifications ${sql.raw(dialect.indexHint('notifications_by_opcode'))}
    where target = ${ACCOUNT} and opcode in (${FOLLOW}, ${UNFOLLOW})`;
  // The ops of one source are in one slot, so of one chain.
  const dated = sql`select source, opcode, time, sum(case opcode when ${UNFOLLOW} then 1 else 0 end)
    over (partition by source order by block_number desc, log_index desc) as unfollows_since from ops`;
  const begun = sql`select min(time) as time from (${dated}) as dated
    where opcode = ${FOLLOW} and unfollows_since = 0
      and source in (select source from edges where target = ${ACCOUNT} and ${IS_FOLLOW}) group by source`;
  const counted = sql`select ${DAY} as day, count(*) as begun, 0 as gained, 0 as lost from (${begun}) as begun group by ${DAY}
    union all select ${DAY}, 0, sum(case opcode when ${FOLLOW} then 1 else 0 end),
      sum(case opcode when ${UNFOLLOW} then 1 else 0 end) from ops group by ${DAY}`;
  const number = (column: string) => sql<number>`${sql.ref(column)}`;
  const columns = { day: number('day'), begun: number('begun'), gained: number('gained'), lost: number('lost') };
  return { ...select(columns, sql`from (${counted}) as counted`), queries: { ops } };
});

/** How many of the current followers had begun to follow by the end of each interval, and what changed in it. */
export async function readHistory(reader: Reader, ref: AccountRef, query: HistoryQuery): Promise<HistoryBody> {
  const { interval, from, to } = query;
  const { numberOf, firstDayOf } = CALENDAR[interval];
  const { rows } = await readAbout(reader, daysOf, ref, {});
  const last = intervalOf(interval, to);
  const earliest = rows.reduce((least, { day }) => Math.min(least, numberOf(day)), last);
  const first = from === null ? Math.max(earliest, last - MAX_POINTS + 1) : intervalOf(interval, from);
  const counts = Array.from({ length: last - first + 1 }, () => ({ begun: 0, gained: 0, lost: 0 }));
  let followers = 0;
  for (const { day, begun, gained, lost } of rows) {
    const count = counts[numberOf(day) - first];
    if (count === undefined) {
      if (numberOf(day) < first) followers += begun;
      continue;
    }
    count.begun += begun;
    count.gained += gained;
    count.lost += lost;
  }
  const points = counts.map(({ begun, gained, lost }, i) => {
    followers += begun;
    return { time: isoFromSeconds(firstDayOf(first + i) * DAY_SECONDS), followers, gained, lost };
  });
  return { interval, points };
}
