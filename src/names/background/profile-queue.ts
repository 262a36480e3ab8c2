import { isDeepStrictEqual } from 'node:util';
import { isRecent, type MonotonicMs, type UnixMs } from '../../async/unix-time.ts';
import type { Address } from '../../protocol/hex.ts';
import { param, rowCount } from '../../store/params.ts';
import type { Row } from '../../store/schema.ts';
import { statement } from '../../store/statement.ts';
import type { Reader, Transaction } from '../../store/store.ts';

/** Lower is fetched first: accounts that clients requested, then new members of the leaderboard. */
export const PRIORITIES = { requested: 0, newMember: 1 } as const;

/** Queues profiles for the background refresh. An account that is queued already keeps the better priority. */
export async function queueProfiles(
  tx: Transaction,
  addresses: readonly string[],
  priority: (typeof PRIORITIES)[keyof typeof PRIORITIES],
): Promise<void> {
  const queued = await tx.readBy('wanted_profiles', 'address', addresses);
  const priorityOf = new Map(queued.map((row) => [row.address, row.priority]));
  const raised = addresses.filter((address) => priority < (priorityOf.get(address) ?? Number.POSITIVE_INFINITY));
  await tx.upsert(
    'wanted_profiles',
    raised.map((address) => ({ address, priority })),
  );
}

/** An account whose profile may be due. `fresh` and `name` are null if it has no stored profile. */
export interface Candidate {
  readonly address: Address;
  readonly fresh: UnixMs | null;
  readonly name: string | null;
  /** Of the last attempt, unless it fetched a whole profile. */
  readonly attempts: number | null;
  readonly isOpen: number | null;
  readonly retryAt: UnixMs | null;
}

const CANDIDATE = ['fresh', 'profiles.name', 'attempts', 'is_open as isOpen', 'retry_at as retryAt'] as const;

/** The head of the queue. An account that waits after a crash is not in it, and does not hide those that follow. */
const QUEUED = statement<{ now: UnixMs; limit: number }, Candidate>((db) =>
  db
    .selectFrom('wanted_profiles')
    .leftJoin('profiles', 'profiles.address', 'wanted_profiles.address')
    .leftJoin('profile_attempts', 'profile_attempts.address', 'wanted_profiles.address')
    .select((eb) => eb.ref('wanted_profiles.address').$castTo<Address>().as('address'))
    .select(CANDIDATE)
    .where((eb) =>
      eb.or([eb('retry_at', 'is', null), eb('is_open', '=', 0), eb('retry_at', '<=', param<number>('now'))]),
    )
    .orderBy('priority')
    .orderBy('wanted_profiles.address')
    .limit(rowCount('limit')),
);

/** The leaderboard members after the address `after`, in address order. */
const MEMBERS = statement<{ after: string; limit: number }, Candidate>((db) =>
  db
    .selectFrom('accounts')
    .innerJoin('leaderboard', 'leaderboard.account', 'accounts.id')
    .leftJoin('profiles', 'profiles.address', 'accounts.address')
    .leftJoin('profile_attempts', 'profile_attempts.address', 'accounts.address')
    .select((eb) => eb.ref('accounts.address').$castTo<Address>().as('address'))
    .select(CANDIDATE)
    .where('accounts.address', '>', param<string>('after'))
    .orderBy('accounts.address')
    .limit(rowCount('limit')),
);

const STALE = statement<{ addresses: string; since: UnixMs; until: UnixMs }, { address: string }>((db, dialect) =>
  db
    .selectFrom('accounts')
    .leftJoin('profiles', 'profiles.address', 'accounts.address')
    .select('accounts.address')
    .where('accounts.address', 'in', dialect.textsOf(param<string>('addresses')))
    .where((eb) =>
      eb.or([
        eb('fresh', 'is', null),
        eb('fresh', '<=', param<number>('since')),
        eb('fresh', '>=', param<number>('until')),
      ]),
    ),
);

/** Filters accounts of the graph: those that have no profile, or one that is not recent, as `isRecent` says. */
export async function readStale(
  reader: Reader,
  addresses: readonly string[],
  maxAgeMs: number,
  now: UnixMs,
): Promise<string[]> {
  const range = { since: now - maxAgeMs, until: now + maxAgeMs };
  const rows = await reader.all(STALE, { addresses: JSON.stringify(addresses), ...range });
  return rows.map(({ address }) => address);
}

/** When an account is attempted again after its attempt has ended; null if it has a whole profile. */
export type Retry = { readonly attempts: number; readonly at: UnixMs } | null;

/** After an attempt that did not end: the process may have crashed because of it. Doubles if the next one does not end. */
const CRASH_RETRY_MS = 60_000;
const MAX_CRASH_RETRY_MS = 86_400_000;
/** Accounts that are neither members nor requested any more are not attempted again, and their rows are removed. */
const KEPT_MS = 2 * MAX_CRASH_RETRY_MS;

/** Stores that attempts begin. Raises no version: no answer depends on it. */
export async function openAttempts(tx: Transaction, accounts: readonly Candidate[], now: UnixMs): Promise<void> {
  // Later times than any retry were stored while the clock was wrong.
  await tx.execute((db) =>
    db
      .deleteFrom('profile_attempts')
      .where((eb) => eb.or([eb('retry_at', '<', now - KEPT_MS), eb('retry_at', '>', now + KEPT_MS)])),
  );
  await tx.upsert(
    'profile_attempts',
    accounts.map(({ address, attempts, isOpen }) => {
      // Attempts that ended with an error say nothing about crashes.
      const crashes = isOpen === 1 ? (attempts ?? 0) : 0;
      const backoff = Math.min(CRASH_RETRY_MS * 2 ** crashes, MAX_CRASH_RETRY_MS);
      return { address, attempts: crashes + 1, is_open: 1, retry_at: now + backoff };
    }),
  );
}

/** Stores that attempts have ended, and when the next ones are made. */
export async function closeAttempts(tx: Transaction, ended: ReadonlyMap<Address, Retry>): Promise<void> {
  const postponed: Row<'profile_attempts'>[] = [];
  const whole: { address: Address }[] = [];
  for (const [address, retry] of ended) {
    if (retry === null) whole.push({ address });
    else postponed.push({ address, attempts: retry.attempts, is_open: 0, retry_at: retry.at });
  }
  await tx.remove('profile_attempts', whole);
  await tx.upsert('profile_attempts', postponed);
}

export interface DueOptions {
  readonly reader: Reader;
  /** A profile that is older is due. */
  readonly maxAgeMs: number;
  readonly now: () => UnixMs;
  readonly monotonic: () => MonotonicMs;
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
  /** The due accounts of the last page of members. */
  #dueMembers: Candidate[] = [];
  #cursor = '';
  /** The summary of the members visited so far. */
  #visited: MembersSummary = NO_MEMBERS;
  #summarisedAt: MonotonicMs = Number.NEGATIVE_INFINITY;
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
    const { reader, now } = this.#options;
    const head = await reader.all(QUEUED, { now: now(), limit: limit + this.#taken.size });
    const queued = head.filter(({ address }) => !this.#taken.has(address));
    const upToDate = queued.filter((candidate) => !this.#isDue(candidate)).map(({ address }) => address);
    const due = queued.filter((candidate) => this.#isDue(candidate)).slice(0, limit);
    for (const address of upToDate) this.#taken.add(address);
    for (const { address } of due) this.#taken.add(address);
    if (due.length < limit) due.push(...(await this.#takeMembers(limit - due.length)));
    return { due, upToDate };
  }

  /** Makes taken accounts available again. */
  release(addresses: Iterable<Address>): void {
    const released = new Set(addresses);
    for (const address of released) this.#taken.delete(address);
    this.#dueMembers = this.#dueMembers.filter(({ address }) => !released.has(address));
  }

  #isDue({ fresh, retryAt }: Candidate): boolean {
    const { now, maxAgeMs } = this.#options;
    // After the time of the retry it is due even if the stored profile is fresh, for records that failed.
    if (retryAt !== null) return retryAt <= now();
    return fresh === null || !isRecent(fresh, maxAgeMs, now());
  }

  #summarise(): void {
    const summary = this.#visited;
    this.#visited = NO_MEMBERS;
    const now = this.#options.monotonic();
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
