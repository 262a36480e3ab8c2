import type { BadgeSource } from '../badges/badge-source.ts';
import { badgesBody } from '../contract/bodies.ts';
import type { Reader } from '../store/store.ts';
import { accountOfList, type Subject, unknownList } from './account-of-list.ts';

export interface BadgesOptions {
  readonly source: BadgeSource;
  /** Known events, in the order of the answer. */
  readonly events: readonly string[];
}

/** Every known badge event, held or not. */
export function createBadgesLookup(
  reader: Reader,
  { source, events }: BadgesOptions,
): (subject: Subject) => Promise<string> {
  const accounts = reader.prepareColumn<{ list: string }, string>(accountOfList);
  const accountOf = async (subject: Subject): Promise<string> => {
    if (subject.kind === 'account') return subject.account;
    const [account] = await accounts(subject);
    if (account === undefined) throw unknownList(subject.list);
    return account;
  };
  return async (subject) => {
    const collections = await source.collectionsOf(await accountOf(subject));
    return badgesBody(events.map((eventId) => ({ eventId, collection: collections.get(eventId) ?? null })));
  };
}
