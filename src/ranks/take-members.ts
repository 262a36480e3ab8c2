import { keptEntry } from '../contract/leaderboard-entry.ts';
import { COUNTED, type Counts, isOnLeaderboard } from '../graph/counts.ts';
import { placeOf } from '../graph/place.ts';
import type { Address } from '../protocol/hex.ts';
import { makeDetails } from '../rows/details-rows.ts';
import { changeBoard } from '../rows/leaderboard-rows.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';

/** Accounts per round: bounds what is in memory. */
const ROUND = 20_000;
/** Pages of the search index that are merged each time: less than a second. */
const MERGED_PAGES = 4_000;

type Member = Counts & {
  address: Address;
  name: string | null;
  avatar: string | null;
  /** Where the leaderboard has it now; null if it has not. */
  known: number | null;
};

/** Brings the members of the leaderboard, of whom there were `before`, up to the accounts' counts, and tells who is new. */
export async function takeMembers(tx: Transaction, before: number): Promise<string[]> {
  const joined: string[] = [];
  for (let after = ''; ; ) {
    const changed = await readChanged(tx, after);
    await writeMembers(tx, changed);
    for (const { address, known } of changed) if (known === null) joined.push(address);
    if (changed.length < ROUND) break;
    after = changed.at(-1)?.address ?? '';
  }
  await removeGone(tx);
  // A few changes are merged among themselves: merging 300 of them into all 100,000 took 2 to 7 s, and not 0.3 to 1.
  const isMost = joined.length > before;
  await tx.mergeGrams(isMost ? Math.max(MERGED_PAGES, joined.length) : MERGED_PAGES, isMost);
  return joined;
}

/** The accounts whose counts are not those on the leaderboard. */
function readChanged(tx: Transaction, after: string): Promise<Member[]> {
  return tx.query((db) =>
    db
      .selectFrom('accounts')
      .leftJoin('leaderboard', 'leaderboard.address', 'accounts.address')
      .leftJoin('profiles', 'profiles.address', 'accounts.address')
      .select((eb) => [
        eb.ref('accounts.address').$castTo<Address>().as('address'),
        ...COUNTED.map((count) => `accounts.${count}` as const),
        'profiles.name',
        'profiles.avatar',
        'leaderboard.place as known',
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

async function writeMembers(tx: Transaction, changed: readonly Member[]): Promise<void> {
  const gone = changed.flatMap(({ address, known }) => (known === null ? [] : [{ place: known, address }]));
  await replaceMembers(tx, gone, changed.filter(isOnLeaderboard).map(memberRow));
}

type Placed = Pick<Row<'leaderboard'>, 'place' | 'address'>;

async function replaceMembers(
  tx: Transaction,
  gone: readonly Placed[],
  come: readonly Row<'leaderboard'>[],
): Promise<void> {
  const concerned = [...gone, ...come];
  await changeBoard(
    tx,
    concerned.map(({ place }) => place),
    async () => {
      await tx.remove('leaderboard', gone);
      await tx.insert('leaderboard', come);
    },
  );
  await makeDetails(
    tx,
    concerned.map(({ address }) => address),
  );
}

function memberRow({ address, name, avatar, known: _, ...counts }: Member): Row<'leaderboard'> {
  return {
    place: placeOf(counts.followers, address),
    address,
    name: (name ?? '').toLowerCase(),
    ...counts,
    entry: keptEntry({ address, name: name ?? '', avatar: avatar ?? '' }, counts),
  };
}

/** Accounts that nothing is known of any more. */
async function removeGone(tx: Transaction): Promise<void> {
  const gone = await tx.query((db) =>
    db
      .selectFrom('leaderboard')
      .leftJoin('accounts', 'accounts.address', 'leaderboard.address')
      .select(['leaderboard.place', 'leaderboard.address'])
      .where('accounts.address', 'is', null),
  );
  await replaceMembers(tx, gone, []);
}
