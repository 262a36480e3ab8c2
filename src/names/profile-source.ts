import type { Logger } from 'pino';
import type { Address } from '../protocol/hex.ts';
import type { Limiter } from '../remote/limiter.ts';
import type { RemoteError } from '../remote/remote-error.ts';

/** What a source says of an account. An empty name is a proof that it has none. */
export interface FetchedProfile {
  /** In its normal form, and known to lead back to the account. */
  readonly name: string;
  /** The name in the letter case that its holder prefers, as far as the source tells; empty if it does not. */
  readonly display: string;
  /** Address of the resolver, lower-case. */
  readonly resolver: string;
  /** Text records that have a value, as they stand. */
  readonly records: Readonly<Record<string, string>>;
  /** Addresses by chain key. */
  readonly chains: Readonly<Record<string, string>>;
  /** Images as the source tells them, where it does not leave that to the text records. */
  readonly images?: { readonly avatar: string; readonly header: string };
  /** What could not be found out, and why: keys like `records.avatar` and `chains.btc`. */
  readonly errors: Readonly<Record<string, string>>;
  /** Unix milliseconds before which nothing that is told can have been read. */
  readonly fresh: number;
}

/** Texts are anybody's to set; a longer one is no text that a profile shows. */
export const LONGEST_TEXT = 16_384;
export const TEXT_TOO_LONG = `longer than ${LONGEST_TEXT} characters`;

export interface FetchOptions {
  /** Whether the source may not answer from a cache of its own. */
  readonly fresh: boolean;
}

interface FetchProfilesOptions extends FetchOptions {
  /** The names that accounts are known by: a source that is not sure can look whether they still lead anywhere. */
  readonly names?: ReadonlyMap<Address, string>;
}

/** Where profiles come from. What it cannot tell is an error, never an absence. */
export interface ProfileSource {
  readonly kind: 'chain' | 'enstate';
  /** How many accounts may be asked for at once; that counts as one request. */
  readonly batchSize: number;
  /** Says for each account what its profile is, or why that is not known. */
  fetchProfiles(
    accounts: readonly Address[],
    options: FetchProfilesOptions,
  ): Promise<ReadonlyMap<Address, FetchedProfile | RemoteError>>;
  /** The account that a normal name leads to, or null when it leads to none. Throws a `RemoteError`. */
  fetchHolder(name: string, options: FetchOptions): Promise<Address | null>;
}

/** How a source is asked because somebody waits for an answer. */
export interface SourceUse {
  readonly source: ProfileSource;
  /** Bounds what is asked of the source at a time. */
  readonly limiter: Limiter;
  /** A stored profile that is older is no longer taken at its word. */
  readonly maxAgeMs: number;
  /** How long an answer waits for the source. */
  readonly deadlineMs: number;
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The text records that are asked for. */
export const TEXT_KEYS = [
  'avatar',
  'header',
  'name',
  'display',
  'description',
  'url',
  'email',
  'mail',
  'location',
  'timezone',
  'language',
  'pronouns',
  'status',
  'com.github',
  'com.twitter',
  'com.discord',
  'org.telegram',
  'social.bsky',
  'org.matrix',
  'io.keybase',
  'social.mastodon',
] as const;
