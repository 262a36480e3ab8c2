import type { Address } from '../protocol/hex.ts';

/** Fetches badges on demand. Without one, lookups read stored badges only. */
export interface BadgeSource {
  /**
   * Serialised collections of an account by event; null or absent means not held. Throws a `RemoteError` if that is
   * unknown. `fresh` bypasses stored checks.
   */
  collectionsOf(account: Address, options: { fresh: boolean }): Promise<ReadonlyMap<string, string | null>>;
}
