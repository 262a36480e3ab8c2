import type { RawLog } from '../../src/protocol/parse-log.ts';
import { type Deployment, MAINNET, ZERO_ADDRESS } from './mainnet.ts';
import { membersOf, type NaiveCounts, rankOf } from './naive-counts.ts';
import { decodeLog, type NaiveOp } from './naive-decode.ts';
import { buildGraph, listExists, type NaiveGraph, type Placed } from './naive-graph.ts';

export interface FollowersQuery {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** Comma-separated, as in the query string. */
  readonly tags?: string | undefined;
  readonly sort?: 'latest' | 'earliest' | 'followers' | undefined;
  /** As the lists endpoint does: leaves out followers that the account blocks or mutes. */
  readonly excludeHidden?: boolean | undefined;
}

export interface NotificationsQuery {
  /** End of the window in Unix seconds; the model has no clock. */
  readonly start: number;
  readonly opcode?: number | undefined;
  readonly interval?: keyof typeof HOURS | undefined;
  readonly tag?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface LeaderboardQuery {
  readonly term?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

const HOURS = { hour: 1, day: 24, week: 168, month: 720, all: 999 };
const ACTIONS = { 1: 'follow', 2: 'unfollow', 3: 'tag', 4: 'untag' };

/** Reference implementation: computes every response from the rules, without any code of the service. */
export class NaiveModel {
  readonly #deployment: Deployment;
  readonly #placed = new Map<string, Placed>();
  readonly #profiles = new Map<string, { name: string; avatar: string }>();
  /** The leaderboard as of the last ranking. */
  #members: ReadonlyMap<string, NaiveCounts> = new Map();
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
    this.#members = membersOf(this.#graph().edges);
  }

  setProfile(address: string, profile: { name: string; avatar: string }): void {
    this.#profiles.set(address.toLowerCase(), profile);
  }

  followers(address: string, query: FollowersQuery = {}) {
    const { limit = 10, offset = 0, tags = '', sort = 'latest', excludeHidden = false } = query;
    const target = address.toLowerCase();
    const { edges, primaryLists } = this.#graph();
    const tagFilter = tags
      .split(',')
      .map(normaliseTag)
      .filter((tag) => tag !== '');
    const rows = edges
      .filter((edge) => edge.to === target && edge.relation === 'follow')
      .filter((edge) => tagFilter.length === 0 || tagFilter.some((tag) => edge.tags.includes(tag)))
      .map((edge) => {
        const back = edges.find((other) => other.from === target && other.to === edge.from)?.relation;
        return { edge, back, popularity: this.#members.get(edge.from)?.followers ?? 0 };
      })
      .filter(({ back }) => !(excludeHidden && (back === 'block' || back === 'mute')));
    const byAddress = (a: (typeof rows)[number], b: (typeof rows)[number]) => compareText(a.edge.from, b.edge.from);
    if (sort === 'followers') rows.sort((a, b) => b.popularity - a.popularity || byAddress(a, b));
    else rows.sort((a, b) => b.edge.time - a.edge.time || byAddress(a, b));
    if (sort === 'earliest') rows.reverse();
    const followers = rows.slice(offset, offset + limit).map(({ edge, back }) => ({
      svc_list_nft_token_id: String(primaryLists.get(edge.from)),
      address: edge.from,
      tags: [...edge.tags],
      is_following: back === 'follow',
      is_blocked: back === 'block',
      is_muted: back === 'mute',
      updated_at: isoTime(edge.time),
    }));
    return { followers };
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
    const { limit = 50, offset = 0 } = query;
    const term = (query.term ?? '').trim().toLowerCase();
    const members = this.#members;
    const rank = (address: string, count: keyof NaiveCounts) => rankOf(address, count, members);
    return [...members]
      .map(([address, counts]) => ({ address, counts, ...this.#profile(address) }))
      .filter(({ address, name }) => address.includes(term) || name.toLowerCase().includes(term))
      .map((member) => ({ ...member, match: matchClass(term, [member.address, member.name.toLowerCase()]) }))
      .sort(
        (a, b) =>
          a.match - b.match ||
          rank(a.address, 'followers') - rank(b.address, 'followers') ||
          compareText(a.address, b.address),
      )
      .slice(offset, offset + limit)
      .map(({ address, name, avatar, counts }) => ({
        address,
        name,
        avatar,
        mutuals_rank: String(rank(address, 'mutuals')),
        followers_rank: String(rank(address, 'followers')),
        following_rank: String(rank(address, 'following')),
        blocks_rank: String(rank(address, 'blocks')),
        mutuals: String(counts.mutuals),
        following: String(counts.following),
        followers: String(counts.followers),
        blocks: String(counts.blocks),
      }));
  }

  ranks(address: string) {
    const members = this.#members;
    const rank = (count: keyof NaiveCounts) => String(rankOf(address.toLowerCase(), count, members));
    return {
      mutuals_rank: rank('mutuals'),
      followers_rank: rank('followers'),
      following_rank: rank('following'),
      top8_rank: rank('top8'),
      blocks_rank: rank('blocks'),
    };
  }

  /** Empty if the account has no valid primary list. */
  primaryList(address: string): string {
    return this.#graph().primaryLists.get(address.toLowerCase())?.toString() ?? '';
  }

  /** Null if the list is unknown or burned. */
  accountOfList(tokenId: string): string | null {
    const { state } = this.#graph();
    const id = BigInt(tokenId);
    if (!listExists(state, id)) return null;
    const slot = state.locations.get(id);
    return (slot && state.users.get(slot)) || (state.owners.get(id) ?? null);
  }

  /** Every address that was ever a user, an owner, a record or an account with metadata. */
  accounts(): string[] {
    const seen = [...this.#placed.values()].map(({ event }) => {
      if (event.kind === 'transfer') return event.to === ZERO_ADDRESS ? null : event.to;
      if (event.kind === 'primary-list' || event.kind === 'other-account-key') return event.account;
      if (event.kind === 'user') return event.user;
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

  #profile(address: string): { name: string; avatar: string } {
    return this.#profiles.get(address) ?? { name: '', avatar: '' };
  }

  #notification({ event, time }: Placed<NaiveOp>) {
    const { activeAccounts, primaryLists } = this.#graph();
    const address = activeAccounts.get(event.slot) ?? '';
    return {
      address,
      ...this.#profile(address),
      token_id: String(primaryLists.get(address)),
      action: ACTIONS[event.opcode],
      opcode: event.opcode,
      op: event.raw,
      tag: event.tag,
      updated_at: isoTime(time),
    };
  }
}

/** 0 if one of the texts equals the term, 1 if one starts with it, else 2. Without a term all are alike. */
function matchClass(term: string, texts: readonly string[]): 0 | 1 | 2 {
  if (term === '') return 2;
  if (texts.includes(term)) return 0;
  return texts.some((text) => text.startsWith(term)) ? 1 : 2;
}

function newestFirst(a: Placed, b: Placed): number {
  return b.time - a.time || b.chainId - a.chainId || b.blockNumber - a.blockNumber || b.logIndex - a.logIndex;
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const normaliseTag = (text: string) => text.trim().toLowerCase();
const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString();
