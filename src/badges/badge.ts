import { isAhead, type UnixMs } from '../async/unix-time.ts';
import { serialiseCollection } from '../contract/serialise.ts';
import { asObject, fail, parseOptionalText, parseWholeNumber } from '../errors/bad-input.ts';
import { parseAddress } from '../protocol/hex.ts';
import { param } from '../store/params.ts';
import type { Row } from '../store/schema.ts';
import { statement } from '../store/statement.ts';
import type { Transaction } from '../store/store.ts';

/** Parses a badge in the JSON format of the POAP API. Unknown fields are dropped. */
export function parseBadge(value: unknown, checkedAt: UnixMs): Row<'badges'> {
  const raw = asObject(value);
  const event = asObject(raw.event, 'event');
  const text = (field: string) => parseOptionalText(`event.${field}`, event[field]);
  const number = (field: string) => parseWholeNumber(`event.${field}`, event[field], 'a whole number');
  const owner = parseAddress(raw.owner) ?? fail('owner', 'an address', raw.owner);
  const id = number('id');
  const collection = serialiseCollection({
    event: {
      id,
      fancy_id: text('fancy_id'),
      name: text('name'),
      event_url: text('event_url'),
      image_url: text('image_url'),
      country: text('country'),
      city: text('city'),
      description: text('description'),
      year: number('year'),
      start_date: text('start_date'),
      end_date: text('end_date'),
      expiry_date: text('expiry_date'),
    },
    tokenId: parseTokenId(raw.tokenId),
    owner,
  });
  return { address: owner, event_id: String(id), collection, checked_at: checkedAt };
}

function parseTokenId(value: unknown): string {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^\d{1,78}$/.test(text) ? text : fail('tokenId', 'a token number', value);
}

/** Upserts badges. Returns the number of new or changed ones. */
export async function writeBadges(tx: Transaction, badges: readonly Row<'badges'>[]): Promise<number> {
  const keyOf = (badge: Row<'badges'>) => `${badge.address}/${badge.event_id}`;
  const given = new Map(badges.map((badge) => [keyOf(badge), badge]));
  const keys = [...given.values()].map((badge) => [badge.address, badge.event_id]);
  const known = new Map((await tx.read('badges', ['address', 'event_id'], keys)).map((badge) => [keyOf(badge), badge]));
  const changed = [...given].filter(([key, badge]) => known.get(key)?.collection !== badge.collection);
  if (changed.length === 0) return 0;
  await tx.upsert(
    'badges',
    changed.map(([, badge]) => badge),
  );
  return changed.length;
}

/** Reads all stored badge checks of an account, including negative ones. */
export const BADGES = statement<{ account: string }, Row<'badges'>>((db) =>
  db
    .selectFrom('badges')
    .select(['address', 'event_id', 'collection', 'checked_at'])
    .where('address', '=', param<string>('account')),
);

/** Upserts badge checks of one account, except those older than the stored check, unless its clock was ahead. */
export async function writeCheckedBadges(
  tx: Transaction,
  badges: readonly Row<'badges'>[],
  now: UnixMs,
): Promise<void> {
  const keys = badges.map(({ address, event_id }) => [address, event_id]);
  const stored = await tx.read('badges', ['address', 'event_id'], keys);
  const known = new Map(stored.map((badge) => [badge.event_id, badge]));
  const fresher = badges.filter(({ event_id, checked_at }) => {
    const knownAt = known.get(event_id)?.checked_at ?? 0;
    return checked_at >= knownAt || isAhead(knownAt, now);
  });
  if (fresher.length === 0) return;
  // A newer `checked_at`, or unknown to not held, changes no response.
  const isChanged = (badge: Row<'badges'>) => badge.collection !== (known.get(badge.event_id)?.collection ?? null);
  await (fresher.some(isChanged) ? tx : tx.unseen).upsert('badges', fresher);
}
