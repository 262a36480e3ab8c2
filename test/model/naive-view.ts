import type { NaiveCounts } from './naive-counts.ts';
import { compareBytes, listExists, type NaiveEdge, type NaiveGraph } from './naive-graph.ts';

export interface NaiveProfile {
  readonly name: string;
  readonly avatar: string;
  readonly header: string;
  /** Unix milliseconds. */
  readonly fresh: number;
  readonly records: Readonly<Record<string, string>>;
}

/** All that a response is computed from. */
export interface NaiveView {
  readonly graph: NaiveGraph;
  /** The leaderboard as of the last ranking. */
  readonly members: ReadonlyMap<string, NaiveCounts>;
  /** The edges as of the last ranking. */
  readonly rankedEdges: readonly NaiveEdge[];
  readonly profiles: ReadonlyMap<string, NaiveProfile>;
}

/** What a user or list route is about. */
export interface NaiveSubject {
  readonly account: string;
  /** Null for an account without a valid primary list, or a list without a location. */
  readonly slot: string | null;
}

export const NO_PROFILE: NaiveProfile = { name: '', avatar: '', header: '', fresh: 0, records: {} };

export function userSubject({ graph }: NaiveView, address: string): NaiveSubject {
  const account = address.toLowerCase();
  const list = graph.primaryLists.get(account);
  return { account, slot: list === undefined ? null : (graph.state.locations.get(list) ?? null) };
}

/** Null if the list is unknown or burned. */
export function listSubject({ graph: { state } }: NaiveView, tokenId: string): NaiveSubject | null {
  const id = BigInt(tokenId);
  if (!listExists(state, id)) return null;
  const slot = state.locations.get(id) ?? null;
  const user = slot === null ? null : state.users.get(slot);
  return { account: user ?? state.owners.get(id) ?? '', slot };
}

/** Empty if the account has no valid primary list. */
export function primaryListOf({ graph }: NaiveView, account: string): string {
  return graph.primaryLists.get(account)?.toString() ?? '';
}

/** Null if the text is neither an address nor the name of an account. */
export function resolveAccount({ profiles }: NaiveView, text: string): string | null {
  const given = text.toLowerCase();
  if (/^0x[0-9a-f]{40}$/.test(given)) return given;
  if (!given.includes('.')) return null;
  return [...profiles].find(([, { name }]) => name === given)?.[0] ?? null;
}

export function profileOf({ profiles }: NaiveView, address: string): NaiveProfile {
  return profiles.get(address) ?? NO_PROFILE;
}

export function ensOf(view: NaiveView, address: string) {
  const { name, avatar, header, fresh, records } = profileOf(view, address);
  return {
    name,
    avatar,
    header,
    display: name === '' ? `${address.slice(0, 6)}…${address.slice(-4)}` : name,
    records: { avatar: '', description: '', header: '', name: '', ...records },
    chains: {},
    fresh,
    resolver: '',
    errors: {},
    updated_at: fresh === 0 ? '' : new Date(fresh).toISOString(),
  };
}

export function cardOf(view: NaiveView, address: string) {
  const { name, avatar, header } = profileOf(view, address);
  return { address, name, avatar, header };
}

/** Follower count as of the last ranking. */
export function popularityOf({ members }: NaiveView, address: string): number {
  return members.get(address)?.followers ?? 0;
}

export const compareText = compareBytes;
export const normaliseTag = (text: string) => text.trim().toLowerCase();

/** The tags that an entry shows, and the number of the others if there are any. */
export function shownTags(tags: readonly string[]) {
  return { tags: tags.slice(0, 100), ...(tags.length > 100 ? { more_tags: tags.length - 100 } : {}) };
}
