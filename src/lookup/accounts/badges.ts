import { sql } from 'kysely';
import type { BadgeSource } from '../../badges/badge-source.ts';
import type { BadgesBody, Collection } from '../../contract/schemas.ts';
import { columns, select } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { type AccountRef, ADDRESS, aboutRef, readAbout, resolveRef } from '../refs/account-ref.ts';

export interface BadgesOptions {
  /** Null without a badge source: only stored badges are returned. */
  readonly source: BadgeSource | null;
  /** Known events, in the order of the response. */
  readonly events: readonly string[];
}

/** Collections by event, as JSON; null if the account does not hold the badge. */
type Collections = ReadonlyMap<string, string | null>;

const { event_id, collection } = columns('badges');
const storedBadges = aboutRef(() => select({ event_id, collection }, sql`from badges where address = ${ADDRESS}`));

/** Every known badge event, held or not. */
export async function readBadges(
  reader: Reader,
  { source, events }: BadgesOptions,
  ref: AccountRef,
): Promise<BadgesBody> {
  // Resolved first: the source checks its requests in flight by address before it reads stored badges.
  const collections =
    source === null
      ? await readStored(reader, ref)
      : await source.collectionsOf(await resolveRef(reader, ref), { fresh: false });
  return { poaps: events.map((eventId) => badgeEntry(eventId, collections.get(eventId) ?? null)) };
}

async function readStored(reader: Reader, ref: AccountRef): Promise<Collections> {
  const { rows } = await readAbout(reader, storedBadges, ref, {});
  return new Map(rows.map(({ event_id, collection }) => [event_id, collection]));
}

function badgeEntry(eventId: string, collection: string | null): BadgesBody['poaps'][number] {
  if (collection === null) return { eventId, participated: false, collection: null };
  // Safe: the column holds what was serialised from the schema.
  return { eventId, participated: true, collection: JSON.parse(collection) as Collection };
}
