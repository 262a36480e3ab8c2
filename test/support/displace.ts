import type { Store } from '../../src/store/store.ts';
import type { Random } from '../model/random.ts';

/** Puts accounts that follow others where they may have belonged earlier: nearly all then wait to be placed. */
export async function displaceAccounts(store: Store, random: Random): Promise<void> {
  await store.transaction(async (tx) => {
    const accounts = await tx.query((db) => db.selectFrom('accounts').select('address').where('following', '>', 0));
    for (const { address } of accounts) {
      const popularity = random.int(20);
      for (const table of ['accounts', 'followers', 'follower_tags'] as const) {
        await tx.execute((db) => db.updateTable(table).set({ popularity }).where('address', '=', address));
      }
    }
  });
}
