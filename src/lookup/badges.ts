import type { BadgeSource } from '../badges/badge-source.ts';
import type { BinaryString } from '../contract/binary-string.ts';
import { createBadgesBody } from '../contract/bodies.ts';
import type { ProfileRefresher } from '../names/on-demand/profile-refresher.ts';
import type { Address } from '../protocol/hex.ts';
import { param } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';
import { type AccountRef, firstOf, type ResolveRef, selectAccount } from './account-ref.ts';

export interface BadgesOptions {
  readonly reader: Reader;
  /** Null without a badge source: only stored badges are returned. */
  readonly source: BadgeSource | null;
  /** Known events, in the order of the response. */
  readonly events: readonly string[];
  readonly resolveRef: ResolveRef;
  readonly profiles: ProfileRefresher;
}

/** Every known badge event, held or not. */
export function createBadgesLookup(options: BadgesOptions): (ref: AccountRef) => Promise<BinaryString> {
  const { reader, source, events, resolveRef, profiles } = options;
  const badgesBody = createBadgesBody(events);
  if (source === null) {
    const findStored = createFindStored(reader);
    return async (ref) => {
      const { account, collections } = await findStored(ref);
      profiles.queue(account);
      return badgesBody(collections);
    };
  }
  return async (ref) => {
    // Resolved first: the source checks its requests in flight by address before it reads stored badges.
    const account = await resolveRef(ref);
    profiles.queue(account);
    return badgesBody(await source.collectionsOf(account, { fresh: false }));
  };
}

interface Found {
  readonly account: Address;
  /** Serialised collections by event; null if the account does not hold the badge. */
  readonly collections: ReadonlyMap<string, string | null>;
}

/** `event_id` is null in the only row of an account without badges that was looked up by list or name. */
interface Stored {
  account: Address;
  event_id: string | null;
  collection: string | null;
}

function createFindStored(reader: Reader): (ref: AccountRef) => Promise<Found> {
  const ofAccount = reader.prepare<AccountRef, Stored>((db) =>
    db
      .selectFrom('badges')
      .select((eb) => [eb.ref('address').$castTo<Address>().as('account'), 'event_id', 'collection'])
      .where('address', '=', param<string>('account')),
  );
  const prepare = (kind: 'list' | 'name') =>
    reader.prepare<AccountRef, Stored>((db) =>
      db
        .selectFrom(selectAccount(reader.dialect, db, kind).as('ref'))
        .leftJoin('badges', 'badges.address', 'ref.account')
        .select((eb) => [eb.ref('ref.account').$castTo<Address>().as('account'), 'event_id', 'collection']),
    );
  const statements = { account: ofAccount, list: prepare('list'), name: prepare('name') };
  return async (ref) => {
    const rows = await statements[ref.kind](ref);
    const account = ref.kind === 'account' ? ref.account : firstOf(rows, ref).account;
    const collections = new Map<string, string | null>();
    for (const { event_id, collection } of rows) if (event_id !== null) collections.set(event_id, collection);
    return { account, collections };
  };
}
