import type { Address } from '../protocol/hex.ts';

/** Knows of badges beside those that are stored, which lookups read themselves. */
export interface BadgeSource {
  /**
   * The badges of an account, as serialised collections by event; null or absent: not held. Throws a `RemoteError`
   * when that is not known. `fresh` asks the source again.
   */
  collectionsOf(account: Address, options: { fresh: boolean }): Promise<ReadonlyMap<string, string | null>>;
}
