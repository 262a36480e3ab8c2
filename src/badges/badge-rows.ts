import { param } from '../store/prepare.ts';
import type { Row } from '../store/schema.ts';
import type { Query, Reader, Transaction } from '../store/store.ts';

/** All that is stored of an account, held or found not to be. */
export function prepareBadges(reader: Reader): Query<{ account: string }, Row<'badges'>> {
  return reader.prepare((db) =>
    db
      .selectFrom('badges')
      .select(['address', 'event_id', 'collection', 'checked_at'])
      .where('address', '=', param<string>('account')),
  );
}

/** Stores what was found out about one account, except where somebody has asked later and been quicker to store it. */
export async function writeCheckedBadges(tx: Transaction, badges: readonly Row<'badges'>[]): Promise<void> {
  const keys = badges.map(({ address, event_id }) => [address, event_id]);
  const stored = await tx.read('badges', ['address', 'event_id'], keys);
  const known = new Map(stored.map((badge) => [badge.event_id, badge]));
  const fresher = badges.filter((badge) => badge.checked_at >= (known.get(badge.event_id)?.checked_at ?? 0));
  if (fresher.length === 0) return;
  await tx.upsert('badges', fresher);
  // To be checked again, or to be known not to be held where nothing was known, makes no answer that stands a wrong one.
  const isOther = (badge: Row<'badges'>) => badge.collection !== (known.get(badge.event_id)?.collection ?? null);
  if (fresher.some(isOther)) await tx.raiseVersion();
}
