import type { StoredEns } from '../contract/schemas.ts';
import type { Address } from '../protocol/hex.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { Outcome, SourceMetrics } from '../remote/source-metrics.ts';

/**
 * The profile of an account, with verified forward resolution, its non-empty records, and in `errors` the reasons why
 * others could not be read. An empty name means that the account verifiably has no primary name. `fresh` is a lower bound
 * of when any of this was read.
 */
export type FetchedProfile = Readonly<Omit<StoredEns, 'avatar' | 'header'>>;

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

/** The outcome of a lookup, as a metric label. */
export function outcomeOf(result: FetchedProfile | string | null | Error): Outcome {
  if (result instanceof UnresolvableError) return 'unresolvable';
  if (result instanceof Error) return 'failed';
  if (result === null || (typeof result === 'object' && result.name === '')) return 'absent';
  return typeof result === 'object' && Object.keys(result.errors).length > 0 ? 'incomplete' : 'found';
}

/** A source whose lookups are counted and timed. */
export function measureProfileSource(source: ProfileSource, metrics: SourceMetrics): ProfileSource {
  return {
    fetchProfile: (account, storedName) =>
      metrics.measure({ source: 'chain', of: 'profile' }, () => source.fetchProfile(account, storedName), outcomeOf),
    fetchHolder: (name) => metrics.measure({ source: 'chain', of: 'name' }, () => source.fetchHolder(name), outcomeOf),
  };
}
