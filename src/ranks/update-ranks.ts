import type { Row } from '../store/schema.ts';
import { findStaleRanks, readState } from '../store/state.ts';
import type { Store, Transaction } from '../store/store.ts';
import { countAllShares, updateBoards } from './update-boards.ts';

/** Called in the transaction of a ranking. Takes the accounts that joined the leaderboard; null if nothing was ranked. */
export type OnRanked = (tx: Transaction, joined: readonly string[] | null) => Promise<void>;

/**
 * Ranks if the graph has changed, and brings the rows that depend on the ranking up to it: each step is a short transaction,
 * between which others can write. Also goes on with the steps of a process that was killed. Returns whether it ranked.
 */
export async function updateRanks(
  write: Store['transaction'],
  now: number,
  onRanked: OnRanked = async () => undefined,
): Promise<boolean> {
  let hasRanked = false;
  let isLast = false;
  while (!isLast) {
    isLast = await write(async (tx) => {
      const joined = await computeRanks(tx, now);
      await onRanked(tx, joined);
      hasRanked ||= joined !== null;
      return joined === null || !(await hasChangedAccounts(tx));
    });
  }
  while (await write(writeNextRows));
  return hasRanked;
}

/** Whether a ranking has only begun. */
async function hasChangedAccounts(tx: Transaction): Promise<boolean> {
  return (await tx.query((db) => db.selectFrom('changed_accounts').select('account').limit(1))).length > 0;
}

/** The same, without a transaction if there is nothing to do. */
export async function updateStaleRanks(
  { reader, transaction }: Pick<Store, 'reader' | 'transaction'>,
  now: number,
  onRanked?: OnRanked,
): Promise<boolean> {
  return (await findStaleRanks(reader)) !== null && updateRanks(transaction, now, onRanked);
}

/**
 * Brings the leaderboard, the rare counts and the numbers of accounts with each count up to the accounts that have changed
 * since the last ranking: 400 of them, so that other writes do not wait long. The next call goes on. Returns the addresses
 * of new members; null if there was nothing to do, or while logs wait for a bulk fold, which ranks when it is done. The
 * caller has to call `writeNextRows` until it returns false, in transactions of their own.
 */
export async function computeRanks(tx: Transaction, now: number): Promise<string[] | null> {
  const numberOf = await readState(tx);
  if (numberOf('graph_version') === numberOf('ranks_graph_version') || numberOf('unfolded_logs') > 0) return null;
  const joined = await updateBoards(tx, 'changed');
  await finishRanking(tx, now, !(await hasChangedAccounts(tx)));
  return joined;
}

/**
 * Ranks after a bulk fold, which does not list the changed accounts, and has written all edges with the popularity of this
 * ranking. Returns the addresses of new members.
 */
export async function rankAll(tx: Transaction, now: number): Promise<string[]> {
  const joined = await updateBoards(tx, 'all');
  await countAllShares(tx);
  await tx.execute((db) => db.deleteFrom('popularity_changes'));
  await finishRanking(tx, now, true);
  return joined;
}

async function finishRanking(tx: Transaction, now: number, isComplete: boolean): Promise<void> {
  const numberOf = await readState(tx);
  const [members] = await tx.query((db) =>
    db
      .selectFrom('ranked_counts')
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('accounts'), eb.lit(0)).as('count'))
      .where('measure', '=', 'followers'),
  );
  await tx.upsert('state', [
    { key: 'ranks_graph_version', value: numberOf(isComplete ? 'graph_version' : 'ranks_graph_version') },
    // Readers identify a ranking by its time, so each has a later one than the last, whatever the clock says.
    { key: 'ranked_at', value: Math.max(now, numberOf('ranked_at') + 1) },
    { key: 'ranked', value: Number(members?.count ?? 0) },
  ]);
}

type Address = Row<'leaderboard'>['address_key'];

/** Edges that a step writes at most: less than 50 ms of work at a million accounts. */
const STEP = 400;

/**
 * Writes the popularity of accounts as of the last ranking into the next of their edges, which are the records of their
 * active slots. Returns whether there may be more. Until an edge is written, it sorts by the popularity of an earlier ranking.
 */
export async function writeNextRows(tx: Transaction, limit = STEP): Promise<boolean> {
  const records = await tx.query((db) =>
    db
      .selectFrom('popularity_changes')
      .innerJoin('accounts', 'accounts.id', 'popularity_changes.account')
      .innerJoin('records', (join) =>
        join
          .onRef('records.slot', '=', 'accounts.active_slot')
          .onRef('records.account', '>', 'popularity_changes.patched'),
      )
      .leftJoin('leaderboard', 'leaderboard.account', 'accounts.id')
      .select((eb) => ['accounts.id as source', eb.ref('accounts.address').$castTo<Address>().as('address_key')])
      .select(['slot', 'records.account as target', 'time', 'tagged'])
      .select((eb) => eb.fn.coalesce('leaderboard.followers', eb.lit(0)).as('popularity'))
      .orderBy('popularity_changes.account')
      .orderBy('records.account')
      .limit(limit),
  );
  // A record of the account itself is no edge.
  const edges = records.filter(({ source, target }) => source !== target);
  const tagged = new Map(
    edges.filter((edge) => edge.tagged === 1).map((edge) => [`${edge.slot} ${edge.target}`, edge]),
  );
  const tags = await tx.read(
    'record_tags',
    ['slot', 'account'],
    [...tagged.values()].map(({ slot, target }) => [slot, target]),
  );
  await tx.patch('edges', ['popularity'], edges);
  await tx.patch(
    'edge_tags',
    ['popularity'],
    tags.map(({ slot, account, tag }) => ({ ...tagged.get(`${slot} ${account}`), tag })),
  );
  const last = records.length < limit ? undefined : records.at(-1);
  // The accounts before the last one are complete.
  await tx.execute((db) => db.deleteFrom('popularity_changes').where('account', '<', last?.source ?? MAX_ID));
  if (last !== undefined)
    await tx.patch('popularity_changes', ['patched'], [{ account: last.source, patched: last.target }]);
  return last !== undefined;
}

const MAX_ID = 2 ** 31 - 1;
