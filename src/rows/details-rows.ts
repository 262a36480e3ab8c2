import { type AliasedExpression, sql } from 'kysely';
import { COUNTED } from '../graph/counts.ts';
import type { Transaction } from '../store/store.ts';

/**
 * Rewrites the rows of `details`, of some accounts or all. Must be called after any change of their inputs: active
 * lists, profiles, and counts on the leaderboard.
 */
export async function rewriteDetails(tx: Transaction, accounts: readonly string[] | 'all'): Promise<void> {
  if (accounts.length === 0) return;
  const given = accounts === 'all' ? null : tx.dialect.textsOf(sql.val(JSON.stringify([...new Set(accounts)])));
  await tx.execute((db) => {
    const all = db.deleteFrom('details');
    return given === null ? all : all.where('address', 'in', given);
  });
  await tx.execute((db) =>
    db
      .insertInto('details')
      .columns(['address', 'active_list', 'ens', ...COUNTED])
      .expression((eb) => {
        const addressesOf = (table: 'accounts' | 'profiles' | 'leaderboard') =>
          eb.selectFrom(table).select('address as text');
        const known: AliasedExpression<{ text: string }, 'known'> =
          given === null
            ? addressesOf('accounts').union(addressesOf('profiles')).union(addressesOf('leaderboard')).as('known')
            : sql<{ text: string }>`${given}`.as('known');
        return eb
          .selectFrom(known)
          .leftJoin('accounts', 'accounts.address', 'known.text')
          .leftJoin('profiles', 'profiles.address', 'known.text')
          .leftJoin('leaderboard', 'leaderboard.address', 'known.text')
          .select(['text', 'active_list', 'ens', ...COUNTED.map((count) => `leaderboard.${count}` as const)])
          .where((having) =>
            having.or((['active_list', 'ens', 'place'] as const).map((part) => having(part, 'is not', null))),
          );
      }),
  );
}
