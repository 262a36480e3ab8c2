import type { BadgeSource } from '../badges/badge-source.ts';
import type { BinaryString } from '../contract/binary-string.ts';
import { createBadgesBody } from '../contract/bodies.ts';
import type { ProfileRefresher } from '../names/on-demand/profile-refresher.ts';
import type { Address } from '../protocol/hex.ts';
import { param } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';
import { type AccountOf, accountOfSubject, firstOf, type Subject } from './subject.ts';

export interface BadgesOptions {
  readonly reader: Reader;
  /** Null where there is none: what is stored is all there is. */
  readonly source: BadgeSource | null;
  /** Known events, in the order of the answer. */
  readonly events: readonly string[];
  readonly accountOf: AccountOf;
  readonly profiles: ProfileRefresher;
}

/** Every known badge event, held or not. */
export function createBadgesLookup(options: BadgesOptions): (subject: Subject) => Promise<BinaryString> {
  const { reader, source, events, accountOf, profiles } = options;
  const badgesBody = createBadgesBody(events);
  if (source === null) {
    const findStored = createFindStored(reader);
    return async (subject) => {
      const { account, collections } = await findStored(subject);
      profiles.want(account);
      return badgesBody(collections);
    };
  }
  return async (subject) => {
    // First: the source looks at what it is asking about an account before it looks at what is stored.
    const account = await accountOf(subject);
    profiles.want(account);
    return badgesBody(await source.collectionsOf(account, { fresh: false }));
  };
}

interface Found {
  readonly account: Address;
  /** Serialised, by event; null when a badge was found not to be held. */
  readonly collections: ReadonlyMap<string, string | null>;
}

/** `event_id` is null in the one row of a list or a name whose account has no badges. */
interface Stored {
  account: Address;
  event_id: string | null;
  collection: string | null;
}

function createFindStored(reader: Reader): (subject: Subject) => Promise<Found> {
  const ofAccount = reader.prepare<Subject, Stored>((db) =>
    db
      .selectFrom('badges')
      .select((eb) => [eb.ref('address').$castTo<Address>().as('account'), 'event_id', 'collection'])
      .where('address', '=', param<string>('account')),
  );
  const prepare = (kind: 'list' | 'name') =>
    reader.prepare<Subject, Stored>((db) =>
      db
        .selectFrom(accountOfSubject(reader.dialect, db, kind).as('subject'))
        .leftJoin('badges', 'badges.address', 'subject.account')
        .select((eb) => [eb.ref('subject.account').$castTo<Address>().as('account'), 'event_id', 'collection']),
    );
  const statements = { account: ofAccount, list: prepare('list'), name: prepare('name') };
  return async (subject) => {
    const rows = await statements[subject.kind](subject);
    const account = subject.kind === 'account' ? subject.account : firstOf(rows, subject).account;
    const collections = new Map<string, string | null>();
    for (const { event_id, collection } of rows) if (event_id !== null) collections.set(event_id, collection);
    return { account, collections };
  };
}
