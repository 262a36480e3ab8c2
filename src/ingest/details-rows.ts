import { sql } from 'kysely';
import { COUNTED } from '../graph/counts.ts';
import type { Transaction } from '../store/store.ts';

/**
 * Makes the rows of `details` anew, of some accounts or of all of them. To be called by whoever has changed what they
 * are made of: active lists, profiles, or counts on the leaderboard.
 */
export async function makeDetails(tx: Transaction, accounts: readonly string[] | 'all'): Promise<void> {
  if (accounts.length === 0) return;
  const isMeant =
    accounts === 'all'
      ? sql<boolean>`true`
      : sql<boolean>`address in ${tx.dialect.textsOf(sql.val(JSON.stringify(accounts)))}`;
  await tx.execute((db) => db.deleteFrom('details').where(isMeant));
  await tx.execute((db) =>
    db
      .insertInto('details')
      .columns(['address', 'active_list', 'ens', ...COUNTED])
      .expression((eb) =>
        eb
          .selectFrom(
            eb
              .selectFrom('accounts')
              .select('address')
              .where(isMeant)
              .where('active_list', 'is not', null)
              .union(eb.selectFrom('profiles').select('address').where(isMeant))
              .union(eb.selectFrom('leaderboard').select('address').where(isMeant))
              .as('known'),
          )
          .leftJoin('accounts', 'accounts.address', 'known.address')
          .leftJoin('profiles', 'profiles.address', 'known.address')
          .leftJoin('leaderboard', 'leaderboard.address', 'known.address')
          .select(['known.address', 'active_list', 'ens', ...COUNTED.map((count) => `leaderboard.${count}` as const)]),
      ),
  );
}
