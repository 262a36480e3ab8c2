import type { UnixMs } from '../async/unix-time.ts';
import type { Address } from '../protocol/hex.ts';
import { RemoteError } from '../remote/remote-error.ts';

/** The profile of an account. An empty name means that the account verifiably has no primary name. */
export interface FetchedProfile {
  /** Primary name, normalised, with forward resolution verified. */
  readonly name: string;
  /** The name in the letter case that its holder prefers; empty if not set. */
  readonly display: string;
  /** Resolver address in lower case. */
  readonly resolver: string;
  /** Non-empty text records. */
  readonly records: Readonly<Record<string, string>>;
  /** Addresses by chain key. */
  readonly chains: Readonly<Record<string, string>>;
  /** Records that could not be read, with the reason, under keys like `records.avatar` and `chains.btc`. */
  readonly errors: Readonly<Record<string, string>>;
  /** Lower bound of when any of this was read. */
  readonly fresh: UnixMs;
}

/** Text records are attacker-controlled: reject an over-long one rather than store it. */
export const MAX_TEXT_LENGTH = 16_384;
export const TEXT_TOO_LONG = `longer than ${MAX_TEXT_LENGTH} characters`;

/** Fetches profiles. A failure is a `RemoteError`, never an empty profile. */
export interface ProfileSource {
  /** Reverse resolution and records. If reverse resolution fails, `storedName` decides whether the name is lost. */
  fetchProfile(account: Address, storedName: string): Promise<FetchedProfile>;
  /** Forward resolution of a normalised name; null if it resolves to no address. */
  fetchHolder(name: string): Promise<Address | null>;
}

/** The source works, but cannot resolve this name: its resolver reverts, or its gateway fails. */
export class UnresolvableError extends RemoteError {
  override name = 'UnresolvableError';
}

/** The text records that are fetched. */
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
