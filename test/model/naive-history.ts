import { opsTowards } from './naive-ops.ts';
import type { NaiveView } from './naive-view.ts';

export interface HistoryQuery {
  readonly interval: 'day' | 'week' | 'month';
  /** Unix seconds; the first op by default. */
  readonly from?: number | undefined;
  readonly to: number;
}

/** The followers of an account at the end of each interval, and what changed in it. */
export function history(view: NaiveView, target: string, { interval, from, to }: HistoryQuery) {
  const ops = opsTowards(view, target).filter(({ event }) => event.opcode <= 2);
  const begun = followersOf(view, target).map((source) => beginningOf(view, source, target));
  const first = from ?? Math.min(to, ...ops.map(({ time }) => time));
  const points = [];
  for (let start = startOf(interval, first); start <= to; start = endOf(interval, start)) {
    const end = endOf(interval, start);
    const received = ops.filter(({ time }) => time >= start && time < end);
    points.push({
      time: new Date(start * 1000).toISOString(),
      followers: begun.filter((time) => time < end).length,
      gained: received.filter(({ event }) => event.opcode === 1).length,
      lost: received.filter(({ event }) => event.opcode === 2).length,
    });
  }
  return { interval, points };
}

function followersOf({ graph }: NaiveView, target: string): string[] {
  return graph.edges.filter(({ to, relation }) => to === target && relation === 'follow').map(({ from }) => from);
}

/** The time of the first follow that no unfollow came after. */
function beginningOf({ graph }: NaiveView, source: string, target: string): number {
  const { state, activeAccounts } = graph;
  let time = Number.NaN;
  let isPresent = false;
  // The ops of a slot are of one chain, and in its order.
  for (const op of state.ops) {
    const { slot, record, opcode } = op.event;
    if (activeAccounts.get(slot) !== source || record !== target || opcode > 2) continue;
    if (opcode === 1 && !isPresent) time = op.time;
    isPresent = opcode === 1;
  }
  return time;
}

/** By the calendar alone. */
function startOf(interval: HistoryQuery['interval'], time: number): number {
  const date = new Date(time * 1000);
  date.setUTCHours(0, 0, 0, 0);
  if (interval === 'month') date.setUTCDate(1);
  while (interval === 'week' && date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1);
  return date.getTime() / 1000;
}

function endOf(interval: HistoryQuery['interval'], start: number): number {
  const date = new Date(start * 1000);
  if (interval === 'month') date.setUTCMonth(date.getUTCMonth() + 1);
  else date.setUTCDate(date.getUTCDate() + (interval === 'week' ? 7 : 1));
  return date.getTime() / 1000;
}
