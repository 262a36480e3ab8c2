import type { BadgeSource } from '../badges/badge-source.ts';
import { badgesBody } from '../contract/bodies.ts';
import type { AccountOf, Subject } from './account-of-list.ts';

export interface BadgesOptions {
  readonly source: BadgeSource;
  /** Known events, in the order of the answer. */
  readonly events: readonly string[];
  readonly accountOf: AccountOf;
}

/** Every known badge event, held or not. */
export function createBadgesLookup({
  source,
  events,
  accountOf,
}: BadgesOptions): (subject: Subject) => Promise<string> {
  return async (subject) => {
    const collections = await source.collectionsOf(await accountOf(subject), { fresh: false });
    return badgesBody(events.map((eventId) => ({ eventId, collection: collections.get(eventId) ?? null })));
  };
}
