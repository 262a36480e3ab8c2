import { param } from '../store/params.ts';
import type { Row } from '../store/schema.ts';
import { statement } from '../store/statement.ts';
import type { Transaction } from '../store/store.ts';

/** Reads all stored badge checks of an account, including negative ones. */
export const BADGES = statement<{ account: string }, Row<'badges'>>((db) =>
  db
    .selectFrom('badges')
    .select(['address', 'event_id', 'collection', 'checked_at'])
    .where('address', '=', param<string>('account')),
);

/** Upserts badge checks of one account, except those older than the stored check. */
export async function writeCheckedBadges(tx: Transaction, badges: readonly Row<'badges'>[]): Promise<void> {
  const keys = badges.map(({ address, event_id }) => [address, event_id]);
  const stored = await tx.read('badges', ['address', 'event_id'], keys);
  const known = new Map(stored.map((badge) => [badge.event_id, badge]));
  const fresher = badges.filter((badge) => badge.checked_at >= (known.get(badge.event_id)?.checked_at ?? 0));
  if (fresher.length === 0) return;
  await tx.upsert('badges', fresher);
  // A newer `checked_at`, or unknown to not held, changes no cached response: leave the data version.
  const isChanged = (badge: Row<'badges'>) => badge.collection !== (known.get(badge.event_id)?.collection ?? null);
  if (fresher.some(isChanged)) await tx.raiseVersion();
}
