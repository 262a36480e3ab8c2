import type { Address } from '../protocol/hex.ts';
import type { Reader } from '../store/store.ts';
import { prepareBadges } from './badge-rows.ts';

export interface BadgeSource {
  /**
   * The badges of an account, as serialised collections by event; null or absent: not held. Throws a `RemoteError`
   * when that is not known. `fresh` asks the source again.
   */
  collectionsOf(account: Address, options: { fresh: boolean }): Promise<ReadonlyMap<string, string | null>>;
}

/** Answers from what is stored, and knows of nothing else. */
export function createStoredBadges(reader: Reader): BadgeSource {
  const badges = prepareBadges(reader);
  return {
    collectionsOf: async (account) =>
      new Map((await badges({ account })).map(({ event_id, collection }) => [event_id, collection])),
  };
}
