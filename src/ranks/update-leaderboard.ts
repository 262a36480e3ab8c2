import { COUNTED, isOnLeaderboard } from '../graph/counts.ts';
import { indexMembers, type SearchableMember } from '../rows/leaderboard-rows.ts';
import { patchPopularity } from '../rows/patch-popularity.ts';
import type { Row } from '../store/schema.ts';
import type { IndexedMember } from '../store/search-index.ts';
import type { Transaction } from '../store/store.ts';

/** Accounts per round. Bounds what is in memory. */
const ROUND = 20_000;
/** Pages of the search index that one ranking merges: less than a second of work. */
const MERGED_PAGES = 4_000;

type Address = Row<'leaderboard'>['address_key'];

/**
 * Brings the leaderboard, which has this many members, up to the counts in `accounts`. Returns the addresses of the new
 * ones. `popularityIsWritten` if the rows of `edges` and `edge_tags` already sort by the new follower counts.
 */
export async function updateLeaderboard(
  tx: Transaction,
  members: number,
  popularityIsWritten: boolean,
): Promise<string[]> {
  const joined: string[] = [];
  for (let after = 0; ; ) {
    const changed = await readChanged(tx, after);
    await replaceMembers(tx, changed);
    if (!popularityIsWritten) {
      const stale = changed.filter(({ followers, ranked_followers }) => followers !== (ranked_followers ?? 0));
      await patchPopularity(
        tx,
        stale.map(({ account, address: address_key, active_slot, followers }) => {
          return { account, address_key, active_slot, popularity: followers };
        }),
      );
    }
    for (const { address, ranked_followers } of changed) if (ranked_followers === null) joined.push(address);
    if (changed.length < ROUND) break;
    after = changed.at(-1)?.account ?? after;
  }
  // Merging 300 changes into an index of 100,000 members took 2 to 7 s; merging them among themselves 0.3 to 1 s.
  const isMost = joined.length > members;
  await tx.mergeGrams(isMost ? Math.max(MERGED_PAGES, joined.length) : MERGED_PAGES, isMost);
  return joined;
}

/** The accounts whose counts differ from those on the leaderboard, by id. */
function readChanged(tx: Transaction, after: number) {
  return tx.query((db) =>
    db
      .selectFrom('accounts')
      .leftJoin('leaderboard', 'leaderboard.account', 'accounts.id')
      .leftJoin('profiles', 'profiles.address', 'accounts.address')
      .select((eb) => [
        'accounts.id as account',
        eb.ref('accounts.address').$castTo<Address>().as('address'),
        'accounts.active_slot',
        ...COUNTED.map((count) => `accounts.${count}` as const),
        'profiles.search_name',
        // Null if it is not on the leaderboard.
        'leaderboard.followers as ranked_followers',
      ])
      .where('accounts.id', '>', after)
      .where((eb) =>
        eb.or([
          eb.and([
            eb('leaderboard.account', 'is', null),
            eb.or(COUNTED.map((count) => eb(`accounts.${count}`, '>', 0))),
          ]),
          ...COUNTED.map((count) => eb(`accounts.${count}`, '<>', eb.ref(`leaderboard.${count}`))),
        ]),
      )
      .orderBy('accounts.id')
      .limit(ROUND),
  );
}

type ChangedAccount = Awaited<ReturnType<typeof readChanged>>[number];

async function replaceMembers(tx: Transaction, changed: readonly ChangedAccount[]): Promise<void> {
  const removed: Row<'leaderboard'>[] = [];
  const upserted: Row<'leaderboard'>[] = [];
  const unindexed: IndexedMember[] = [];
  const indexed: SearchableMember[] = [];
  for (const { account, address, search_name, ranked_followers, active_slot: _, ...counts } of changed) {
    const row = { account, address_key: address, ...counts };
    const isMember = isOnLeaderboard(counts);
    (isMember ? upserted : removed).push(row);
    // The search index orders members by followers, and depends on no other count.
    if (isMember && counts.followers === ranked_followers) continue;
    if (ranked_followers !== null) unindexed.push({ ...row, followers: ranked_followers });
    if (isMember) indexed.push({ ...row, name: search_name ?? '' });
  }
  await tx.remove('leaderboard', removed);
  await tx.upsert('leaderboard', upserted);
  await indexMembers(tx, unindexed, indexed);
}
