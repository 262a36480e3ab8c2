import { placeAccounts } from '../../src/ingest/place-accounts.ts';
import type { Store } from '../../src/store/store.ts';
import type { Random } from '../model/random.ts';

/** Places all accounts, and half of those that follow others where they may have belonged earlier: these then wait. */
export async function displaceAccounts(store: Store, random: Random): Promise<void> {
  await store.transaction(async (tx) => {
    await placeAccounts(tx);
    const accounts = await tx.query((db) =>
      db.selectFrom('accounts').select(['address', 'followers']).where('following', '>', 0).orderBy('address'),
    );
    for (const [i, { address, followers }] of accounts.entries()) {
      if (i % 2 === 1) continue;
      const popularity = (followers + 1 + random.int(19)) % 20;
      for (const table of ['accounts', 'followers', 'follower_tags'] as const) {
        await tx.execute((db) => db.updateTable(table).set({ popularity }).where('address', '=', address));
      }
    }
  });
}
