import type { RawLog } from '../../src/protocol/parse-log.ts';
import { type Deployment, MAINNET, ZERO_ADDRESS } from './mainnet.ts';
import { membersOf, type NaiveCounts } from './naive-counts.ts';
import { decodeLog } from './naive-decode.ts';
import { type FollowersQuery, followers } from './naive-followers.ts';
import { buildGraph, type NaiveEdge, type NaiveGraph, type Placed } from './naive-graph.ts';
import { type LeaderboardQuery, leaderboard, ranksOf } from './naive-leaderboard.ts';
import { notifications, type OpsQuery } from './naive-ops.ts';
import { listSubject, type NaiveProfile, type NaiveView, NO_PROFILE, primaryListOf } from './naive-view.ts';

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

  notifications(address: string, query: OpsQuery) {
    return notifications(this.view(), address.toLowerCase(), query);
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
}
