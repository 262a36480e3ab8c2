import type { Address } from '../protocol/hex.ts';
import type { Reader } from '../store/store.ts';
import { type Candidate, createMembersLookup, createWantedLookup } from './wanted-profiles.ts';

export interface DueOptions {
  readonly reader: Reader;
  /** A profile that is older is due. */
  readonly maxAgeMs: number;
  readonly now: () => number;
}

/** Members of the leaderboard that are looked at in one go. */
const WINDOW = 1_000;
/** Accounts whose next try is remembered; of more, the oldest are forgotten and tried when they are met. */
const MAX_POSTPONED = 100_000;

/** Whose profile is to be fetched next: first of those that are wanted, then of the leaderboard, round and round. */
export class DueProfiles {
  readonly #options: DueOptions;
  readonly #wanted: (limit: number) => Promise<Candidate[]>;
  readonly #members: (after: string, limit: number) => Promise<Candidate[]>;
  /** Taken, and not yet settled. */
  readonly #taken = new Set<Address>();
  readonly #postponed = new Map<Address, number>();
  /** The due ones of the members that were last looked at. */
  #window: Candidate[] = [];
  #after = '';

  constructor(options: DueOptions) {
    this.#options = options;
    this.#wanted = createWantedLookup(options.reader);
    this.#members = createMembersLookup(options.reader);
  }

  /**
   * Takes up to `limit` accounts. None are due only when a look at some of the leaderboard found none either.
   * `needless` are wanted ones that have had their turn.
   */
  async take(limit: number): Promise<{ due: Candidate[]; needless: Address[] }> {
    const wanted = (await this.#wanted(limit + this.#taken.size)).filter(({ address }) => !this.#taken.has(address));
    const needless = wanted.filter((candidate) => !this.#isDue(candidate)).map(({ address }) => address);
    const due = wanted.filter((candidate) => this.#isDue(candidate)).slice(0, limit);
    for (const address of needless) this.#taken.add(address);
    for (const { address } of due) this.#taken.add(address);
    if (due.length < limit) due.push(...(await this.#takeMembers(limit - due.length)));
    for (const { address } of due) this.#postponed.delete(address);
    return { due, needless };
  }

  /** What was taken has been seen to. */
  settle(addresses: Iterable<Address>): void {
    const settled = new Set(addresses);
    for (const address of settled) this.#taken.delete(address);
    this.#window = this.#window.filter(({ address }) => !settled.has(address));
  }

  /** Not to be tried before a time, but then, however fresh it is. */
  postpone(address: Address, until: number): void {
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

  async #takeMembers(limit: number): Promise<Candidate[]> {
    if (this.#window.length === 0) {
      const members = await this.#members(this.#after, WINDOW);
      this.#after = members.length < WINDOW ? '' : (members.at(-1)?.address ?? '');
      this.#window = members.filter((candidate) => this.#isDue(candidate));
    }
    const next = this.#window.splice(0, limit).filter(({ address }) => !this.#taken.has(address));
    for (const { address } of next) this.#taken.add(address);
    return next;
  }
}
