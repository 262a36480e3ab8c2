import type { BadgeSource } from '../badges/badge-source.ts';
import { createBadgesBody } from '../contract/bodies.ts';
import type { Profiles } from '../names/live-profiles.ts';
import type { AccountOf, Subject } from './account-of-list.ts';

export interface BadgesOptions {
  readonly source: BadgeSource;
  /** Known events, in the order of the answer. */
  readonly events: readonly string[];
  readonly accountOf: AccountOf;
  readonly profiles: Profiles;
}

/** Every known badge event, held or not. */
export function createBadgesLookup({
  source,
  events,
  accountOf,
  profiles,
}: BadgesOptions): (subject: Subject) => Promise<string> {
  const badgesBody = createBadgesBody(events);
  return async (subject) => {
    const account = await accountOf(subject);
    profiles.want(account);
    const collections = await source.collectionsOf(account, { fresh: false });
    return badgesBody(collections);
  };
}
