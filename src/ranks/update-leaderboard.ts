import { storedEntry } from '../contract/entry-layout.ts';
import { COUNTED, type Counts, isOnLeaderboard } from '../graph/counts.ts';
import { sortKeyOf } from '../graph/sort-key.ts';
import type { Address } from '../protocol/hex.ts';
import { rewriteDetails } from '../rows/details-rows.ts';
import { changeLeaderboard } from '../rows/leaderboard-rows.ts';
import { patchEdges } from '../rows/patch-edges.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';

/** Accounts per round. Bounds what is in memory. */
const ROUND = 20_000;
/** Pages of the search index that one ranking merges: less than a second of work. */
const MERGED_PAGES = 4_000;

type ChangedAccount = Counts & {
  address: Address;
  active_slot: string | null;
  name: string | null;
  avatar: string | null;
  /** Its sort key and follower count on the leaderboard; null if it is not on it. */
  ranked_place: number | null;
  ranked_followers: number | null;
};

export interface UpdateOptions {
  /** How many members the leaderboard has. */
  readonly members: number;
  /** Whether the rows of `edges` and `edge_tags` already sort by the new follower counts. */
  readonly popularityIsWritten: boolean;
}

/** Brings the leaderboard up to the counts in `accounts` and returns the addresses of the new members. */
export async function updateLeaderboard(tx: Transaction, options: UpdateOptions): Promise<string[]> {
  const joined: string[] = [];
  for (let after = ''; ; ) {
    const changed = await readChanged(tx, after);
    await replaceChanged(tx, changed);
    if (!options.popularityIsWritten) {
      const stale = changed.filter(({ followers, ranked_followers }) => followers !== (ranked_followers ?? 0));
      await patchEdges(
        tx,
        'popularity',
        stale.map(({ address, active_slot, followers: popularity }) => ({ address, active_slot, popularity })),
      );
    }
    for (const { address, ranked_place } of changed) if (ranked_place === null) joined.push(address);
    if (changed.length < ROUND) break;
    after = changed.at(-1)?.address ?? '';
  }
  await removeUnknown(tx);
  // Merging 300 changes into an index of 100,000 members took 2 to 7 s; merging them among themselves 0.3 to 1 s.
  const isMost = joined.length > options.members;
  await tx.mergeGrams(isMost ? Math.max(MERGED_PAGES, joined.length) : MERGED_PAGES, isMost);
  return joined;
}

/** The accounts whose counts differ from those on the leaderboard, by address. */
function readChanged(tx: Transaction, after: string): Promise<ChangedAccount[]> {
  return tx.query((db) =>
    db
      .selectFrom('accounts')
      .leftJoin('leaderboard', 'leaderboard.address', 'accounts.address')
      .leftJoin('profiles', 'profiles.address', 'accounts.address')
      .select((eb) => [
        eb.ref('accounts.address').$castTo<Address>().as('address'),
        'accounts.active_slot',
        ...COUNTED.map((count) => `accounts.${count}` as const),
        'profiles.name',
        'profiles.avatar',
        'leaderboard.place as ranked_place',
        'leaderboard.followers as ranked_followers',
      ])
      .where('accounts.address', '>', after)
      .where((eb) =>
        eb.or([
          eb.and([
            eb('leaderboard.address', 'is', null),
            eb.or(COUNTED.map((count) => eb(`accounts.${count}`, '>', 0))),
          ]),
          ...COUNTED.map((count) => eb(`accounts.${count}`, '<>', eb.ref(`leaderboard.${count}`))),
        ]),
      )
      .orderBy('accounts.address')
      .limit(ROUND),
  );
}

async function replaceChanged(tx: Transaction, changed: readonly ChangedAccount[]): Promise<void> {
  const removed = changed.flatMap(({ address, ranked_place }) =>
    ranked_place === null ? [] : [{ place: ranked_place, address }],
  );
  await replaceMembers(tx, removed, changed.filter(isOnLeaderboard).map(memberRow));
}

async function replaceMembers(
  tx: Transaction,
  removed: readonly Pick<Row<'leaderboard'>, 'place' | 'address'>[],
  added: readonly Row<'leaderboard'>[],
): Promise<void> {
  const members = [...removed, ...added];
  await changeLeaderboard(
    tx,
    members.map(({ place }) => place),
    async () => {
      await tx.remove('leaderboard', removed);
      await tx.insert('leaderboard', added);
    },
  );
  await rewriteDetails(
    tx,
    members.map(({ address }) => address),
  );
}

function memberRow(account: ChangedAccount): Row<'leaderboard'> {
  const { address, name, avatar, followers, following, mutuals, blocks, top8 } = account;
  const counts = { followers, following, mutuals, blocks, top8 };
  return {
    place: sortKeyOf(followers, address),
    address,
    name: (name ?? '').toLowerCase(),
    ...counts,
    entry: storedEntry({ address, name: name ?? '', avatar: avatar ?? '' }, counts),
  };
}

/** Removes members that have no row in `accounts` any more. */
async function removeUnknown(tx: Transaction): Promise<void> {
  const removed = await tx.query((db) =>
    db
      .selectFrom('leaderboard')
      .leftJoin('accounts', 'accounts.address', 'leaderboard.address')
      .select(['leaderboard.place', 'leaderboard.address'])
      .where('accounts.address', 'is', null),
  );
  await replaceMembers(tx, removed, []);
}
