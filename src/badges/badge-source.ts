import { param } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';

/** The badges that an account holds, as serialised collections by event. A source that cannot tell throws. */
export interface BadgeSource {
  collectionsOf(account: string): Promise<ReadonlyMap<string, string | null>>;
}

/** Answers from what is stored. */
export function createStoredBadges(reader: Reader): BadgeSource {
  const held = reader.prepare<{ account: string }, { event_id: string; collection: string | null }>((db) =>
    db.selectFrom('badges').select(['event_id', 'collection']).where('address', '=', param<string>('account')),
  );
  return {
    collectionsOf: async (account) =>
      new Map((await held({ account })).map(({ event_id, collection }) => [event_id, collection])),
  };
}
