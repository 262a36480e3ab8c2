import type { RawLog } from '../../src/protocol/parse-log.ts';
import { type Deployment, MAINNET, ZERO_ADDRESS } from './mainnet.ts';
import { membersOf, type NaiveCounts } from './naive-counts.ts';
import { decodeLog, type NaiveOp } from './naive-decode.ts';
import { type FollowersQuery, followers } from './naive-followers.ts';
import { buildGraph, type NaiveEdge, type NaiveGraph, type Placed } from './naive-graph.ts';
import { type LeaderboardQuery, leaderboard, ranksOf } from './naive-leaderboard.ts';
import {
  listSubject,
  type NaiveProfile,
  type NaiveView,
  NO_PROFILE,
  normaliseTag,
  primaryListOf,
  profileOf,
} from './naive-view.ts';

export interface NotificationsQuery {
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

/** Reference implementation: computes every response from the rules, without any code of the service. */
export class NaiveModel {
  readonly #deployment: Deployment;
  readonly #placed = new Map<string, Placed>();
  readonly #profiles = new Map<string, NaiveProfile>();
  /** The leaderboard as of the last ranking. */
  #members: ReadonlyMap<string, NaiveCounts> = new Map();
  #rankedEdges: readonly NaiveEdge[] = [];
  #cached: NaiveGraph | undefined;

  constructor({ deployment = MAINNET }: { deployment?: Deployment } = {}) {
    this.#deployment = deployment;
  }

  add(log: RawLog): void {
    const blockNumber = Number(log.blockNumber);
    const logIndex = Number(log.logIndex);
    const key = `${log.chainId}/${blockNumber}/${logIndex}`;
    if (this.#placed.has(key)) return;
    const event = decodeLog(log, this.#deployment);
    this.#placed.set(key, { chainId: log.chainId, blockNumber, logIndex, time: Number(log.blockTimestamp), event });
    this.#cached = undefined;
  }

  remove(chainId: number, aboveBlock: number): void {
    for (const [key, placed] of this.#placed) {
      if (placed.chainId === chainId && placed.blockNumber > aboveBlock) this.#placed.delete(key);
    }
    this.#cached = undefined;
  }

  /** Ranks the accounts as the graph is now; until then, leaderboard, ranks and popularity lag behind it. */
  rank(): void {
    this.#rankedEdges = this.#graph().edges;
    this.#members = membersOf(this.#rankedEdges);
  }

  setProfile(address: string, profile: Partial<NaiveProfile>): void {
    this.#profiles.set(address.toLowerCase(), { ...NO_PROFILE, ...profile });
  }

  /** For the functions that compute the other responses. */
  view(): NaiveView {
    const [members, rankedEdges, profiles] = [this.#members, this.#rankedEdges, this.#profiles];
    return { graph: this.#graph(), members, rankedEdges, profiles };
  }

  followers(address: string, query: FollowersQuery = {}) {
    return followers(this.view(), address.toLowerCase(), query);
  }

  notifications(address: string, query: NotificationsQuery) {
    const { opcode = 0, interval = 'week', start, limit = 10, offset = 0 } = query;
    const target = address.toLowerCase();
    const tag = normaliseTag(query.tag ?? '');
    const from = interval === 'all' ? Number.NEGATIVE_INFINITY : start - HOURS[interval] * 3600;
    const { state, activeAccounts } = this.#graph();
    const page = state.ops
      .filter(({ event }) => event.record === target)
      .filter(({ event }) => activeAccounts.has(event.slot) && activeAccounts.get(event.slot) !== target)
      .filter(({ time }) => time >= from && time <= start)
      .filter(({ event }) => opcode === 0 || event.opcode === opcode)
      .filter(({ event }) => tag === '' || event.tag === tag)
      .sort(newestFirst)
      .slice(offset, offset + limit);
    const total = (code: number) => page.filter(({ event }) => event.opcode === code).length;
    return {
      summary: {
        interval: `${HOURS[interval]}:00:00(hrs)`,
        opcode: opcode === 0 ? 'all' : String(opcode),
        total: page.length,
        total_follows: total(1),
        total_unfollows: total(2),
        total_tags: total(3),
        total_untags: total(4),
      },
      notifications: page.map((op) => this.#notification(op)),
    };
  }

  /** Entries without `updated_at`: the model has no clock. */
  leaderboard(query: LeaderboardQuery = {}) {
    return leaderboard(this.view(), query);
  }

  ranks(address: string) {
    return ranksOf(this.view(), address.toLowerCase());
  }

  /** Empty if the account has no valid primary list. */
  primaryList(address: string): string {
    return primaryListOf(this.view(), address.toLowerCase());
  }

  /** Null if the list is unknown or burned. */
  accountOfList(tokenId: string): string | null {
    return listSubject(this.view(), tokenId)?.account ?? null;
  }

  /** Every address that was ever a user, a manager, an owner, a record or an account with metadata. */
  accounts(): string[] {
    const seen = [...this.#placed.values()].map(({ event }) => {
      if (event.kind === 'transfer') return event.to === ZERO_ADDRESS ? null : event.to;
      if (event.kind === 'primary-list' || event.kind === 'other-account-key') return event.account;
      if (event.kind === 'user') return event.user;
      if (event.kind === 'manager') return event.manager;
      return event.kind === 'op' ? event.record : null;
    });
    return [...new Set(seen.filter((address) => address !== null))].sort();
  }

  /** Every token id in the registry's events. */
  lists(): string[] {
    const events = [...this.#placed.values()].map(({ event }) => event);
    const ids = events.flatMap((event) =>
      event.kind === 'transfer' || event.kind === 'location' ? [event.tokenId.toString()] : [],
    );
    return [...new Set(ids)];
  }

  #graph(): NaiveGraph {
    this.#cached ??= buildGraph([...this.#placed.values()]);
    return this.#cached;
  }

  #notification({ event, time }: Placed<NaiveOp>) {
    const view = this.view();
    const address = view.graph.activeAccounts.get(event.slot) ?? '';
    const { name, avatar } = profileOf(view, address);
    return {
      address,
      name,
      avatar,
      token_id: primaryListOf(view, address),
      action: ACTIONS[event.opcode],
      opcode: event.opcode,
      op: event.raw,
      tag: event.tag,
      updated_at: new Date(time * 1000).toISOString(),
    };
  }
}

function newestFirst(a: Placed, b: Placed): number {
  return b.time - a.time || b.chainId - a.chainId || b.blockNumber - a.blockNumber || b.logIndex - a.logIndex;
}
