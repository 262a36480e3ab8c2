import { isDeepStrictEqual } from 'node:util';
import type { UnixMs } from '../../async/unix-time.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Reader } from '../../store/store.ts';
import { type Candidate, MEMBERS, QUEUED } from './profile-queue.ts';

export interface DueOptions {
  readonly reader: Reader;
  /** A profile that is older is due. */
  readonly maxAgeMs: number;
  readonly now: () => UnixMs;
}

/** The profiles of all members of the leaderboard, as of the last time that all of them were visited. */
export interface MembersSummary {
  readonly members: number;
  /** Members with a stored profile, and with a name. */
  readonly stored: number;
  readonly named: number;
  /** When the oldest of these profiles was fetched; 0 if there is none. */
  readonly oldest: UnixMs;
}

/** A summary is replaced when it changes and is this old, because it is written to the database. */
const SUMMARY_MS = 60_000;
/** Leaderboard members read per query. */
const MEMBERS_PAGE = 1_000;
/** Limits the memory for postponed accounts: beyond it the oldest entry is evicted, and that account is due again. */
const MAX_POSTPONED = 100_000;

const NO_MEMBERS: MembersSummary = { members: 0, stored: 0, named: 0, oldest: 0 };

function addMember({ members, stored, named, oldest }: MembersSummary, { fresh, name }: Candidate): MembersSummary {
  if (fresh === null) return { members: members + 1, stored, named, oldest };
  return {
    members: members + 1,
    stored: stored + 1,
    named: name === null || name === '' ? named : named + 1,
    oldest: oldest === 0 ? fresh : Math.min(oldest, fresh),
  };
}

/** Chooses which profiles to fetch next: queued accounts first, then the leaderboard in an endless cycle. */
export class DueProfiles {
  readonly #options: DueOptions;
  /** Accounts that were returned by `take` and not yet released. */
  readonly #taken = new Set<Address>();
  readonly #postponed = new Map<Address, UnixMs>();
  /** The due accounts of the last page of members. */
  #dueMembers: Candidate[] = [];
  #cursor = '';
  /** The summary of the members visited so far. */
  #visited: MembersSummary = NO_MEMBERS;
  #summarisedAt: UnixMs = 0;
  /** Null until all members have been visited once. */
  summary: MembersSummary | null = null;

  constructor(options: DueOptions) {
    this.#options = options;
  }

  /**
   * Takes up to `limit` due accounts. An empty result means that neither the queue nor the next page of members has a
   * due account. `upToDate` are queued accounts that need no refresh.
   */
  async take(limit: number): Promise<{ due: Candidate[]; upToDate: Address[] }> {
    const head = await this.#options.reader.all(QUEUED, { limit: limit + this.#taken.size });
    const queued = head.filter(({ address }) => !this.#taken.has(address));
    const upToDate = queued.filter((candidate) => !this.#isDue(candidate)).map(({ address }) => address);
    const due = queued.filter((candidate) => this.#isDue(candidate)).slice(0, limit);
    for (const address of upToDate) this.#taken.add(address);
    for (const { address } of due) this.#taken.add(address);
    if (due.length < limit) due.push(...(await this.#takeMembers(limit - due.length)));
    for (const { address } of due) this.#postponed.delete(address);
    return { due, upToDate };
  }

  /** Makes taken accounts available again. */
  release(addresses: Iterable<Address>): void {
    const released = new Set(addresses);
    for (const address of released) this.#taken.delete(address);
    this.#dueMembers = this.#dueMembers.filter(({ address }) => !released.has(address));
  }

  /** Do not retry before `until`; then retry even if the stored profile is fresh. */
  postpone(address: Address, until: UnixMs): void {
    this.#postponed.delete(address);
    this.#postponed.set(address, until);
    if (this.#postponed.size <= MAX_POSTPONED) return;
    const [oldest] = this.#postponed.keys();
    if (oldest !== undefined) this.#postponed.delete(oldest);
  }

  #isDue({ address, fresh }: Candidate): boolean {
    const { now, maxAgeMs } = this.#options;
    const until = this.#postponed.get(address);
    if (until !== undefined) return until <= now();
    return fresh === null || fresh < now() - maxAgeMs;
  }

  #summarise(): void {
    const summary = this.#visited;
    this.#visited = NO_MEMBERS;
    const now = this.#options.now();
    if (now - this.#summarisedAt < SUMMARY_MS || isDeepStrictEqual(summary, this.summary)) return;
    this.#summarisedAt = now;
    this.summary = summary;
  }

  async #takeMembers(limit: number): Promise<Candidate[]> {
    if (this.#dueMembers.length === 0) {
      const members = await this.#options.reader.all(MEMBERS, { after: this.#cursor, limit: MEMBERS_PAGE });
      this.#cursor = members.length < MEMBERS_PAGE ? '' : (members.at(-1)?.address ?? '');
      this.#visited = members.reduce(addMember, this.#visited);
      if (this.#cursor === '') this.#summarise();
      this.#dueMembers = members.filter((candidate) => this.#isDue(candidate));
    }
    const next = this.#dueMembers.splice(0, limit).filter(({ address }) => !this.#taken.has(address));
    for (const { address } of next) this.#taken.add(address);
    return next;
  }
}
