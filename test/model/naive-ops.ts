import type { NaiveOp } from './naive-decode.ts';
import type { Placed } from './naive-graph.ts';
import { type NaiveSubject, type NaiveView, normaliseTag, primaryListOf, profileOf } from './naive-view.ts';

export interface OpsQuery {
  /** End of the window in Unix seconds; the model has no clock. */
  readonly start: number;
  readonly opcode?: number | undefined;
  readonly interval?: keyof typeof HOURS | undefined;
  readonly tag?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

const HOURS = { hour: 1, day: 24, week: 168, month: 720, all: 999 };
const ACTIONS = { 1: 'follow', 2: 'unfollow', 3: 'tag', 4: 'untag' };

/** Ops of valid primary lists of other accounts that name the account. */
export function opsTowards({ graph }: NaiveView, target: string): Placed<NaiveOp>[] {
  const { state, activeAccounts } = graph;
  return state.ops
    .filter(({ event }) => event.record === target)
    .filter(({ event }) => activeAccounts.has(event.slot) && activeAccounts.get(event.slot) !== target);
}

export function notifications(view: NaiveView, target: string, query: OpsQuery) {
  const { page, summary } = pageOf(opsTowards(view, target), query);
  const entry = (op: Placed<NaiveOp>) => {
    const source = view.graph.activeAccounts.get(op.event.slot) ?? '';
    return entryOf(view, op, source, primaryListOf(view, source));
  };
  return { summary, notifications: page.map(entry) };
}

/** The ops of a slot. */
export function activity(view: NaiveView, { slot }: NaiveSubject, list: string, query: OpsQuery) {
  const ops = view.graph.state.ops.filter(({ event }) => event.slot === slot);
  const { page, summary } = pageOf(ops, query);
  return { summary, activity: page.map((op) => entryOf(view, op, op.event.record, list)) };
}

function pageOf(ops: readonly Placed<NaiveOp>[], query: OpsQuery) {
  const { opcode = 0, interval = 'week', start, limit = 10, offset = 0 } = query;
  const tag = normaliseTag(query.tag ?? '');
  const from = interval === 'all' ? Number.NEGATIVE_INFINITY : start - HOURS[interval] * 3600;
  const page = ops
    .filter(({ time }) => time >= from && time <= start)
    .filter(({ event }) => opcode === 0 || event.opcode === opcode)
    .filter(({ event }) => tag === '' || event.tag === tag)
    .sort(newestFirst)
    .slice(offset, offset + limit);
  const total = (code: number) => page.filter(({ event }) => event.opcode === code).length;
  const summary = {
    interval: `${HOURS[interval]}:00:00(hrs)`,
    opcode: opcode === 0 ? 'all' : String(opcode),
    total: page.length,
    total_follows: total(1),
    total_unfollows: total(2),
    total_tags: total(3),
    total_untags: total(4),
  };
  return { page, summary };
}

function entryOf(view: NaiveView, { event, time }: Placed<NaiveOp>, address: string, list: string) {
  const { name, avatar } = profileOf(view, address);
  return {
    address,
    name,
    avatar,
    token_id: list,
    action: ACTIONS[event.opcode],
    opcode: event.opcode,
    op: event.raw,
    tag: event.tag,
    updated_at: new Date(time * 1000).toISOString(),
  };
}

function newestFirst(a: Placed, b: Placed): number {
  return b.time - a.time || b.chainId - a.chainId || b.blockNumber - a.blockNumber || b.logIndex - a.logIndex;
}
