import { COUNTED, MEASURES, type Measure, RARELY_COUNTED } from '../graph/counts.ts';
import { listSearchChanges, listSearchReload } from '../rows/search-changes.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';

/** Accounts that are read at once: of all, for the memory; of those that changed, 30 ms of work at a million accounts. */
const ROUND = { all: 20_000, changed: 400 };

type Address = Row<'leaderboard'>['address_key'];

/** The tables with the counts as of the last ranking. An account is on a board if at least one of its counts is above zero. */
const BOARDS = { leaderboard: COUNTED, rare_counts: RARELY_COUNTED } as const;
const BOARD_NAMES = ['leaderboard', 'rare_counts'] as const;
type Board = (typeof BOARD_NAMES)[number];

/**
 * Brings the boards up to the counts in `accounts`: of the next accounts that have changed since the last ranking, or of all.
 * Lists what has to follow in other rows. Returns the addresses of the new members of the leaderboard.
 */
export async function updateBoards(tx: Transaction, which: 'changed' | 'all'): Promise<string[]> {
  const joined: string[] = [];
  let hasChanged = false;
  let after = 0;
  for (;;) {
    const changed = await readChanged(tx, which, after);
    hasChanged ||= changed.length > 0;
    const shares = new Shares();
    for (const board of BOARD_NAMES) await updateBoard(tx, board, changed, shares);
    await shares.write(tx);
    if (which === 'changed') await listChanges(tx, changed);
    for (const row of changed) if (isNew('leaderboard', row)) joined.push(row.address);
    after = changed.length < ROUND[which] ? MAX_ID : (changed.at(-1)?.account ?? MAX_ID);
    if (which === 'changed' || after === MAX_ID) break;
  }
  // It has written all edges, and most members are others.
  if (which === 'all' && hasChanged) await listSearchReload(tx);
  await tx.execute((db) => db.deleteFrom('changed_accounts').where('account', '<=', after));
  return joined;
}

const MAX_ID = 2 ** 31 - 1;

/** The accounts whose counts differ from those on the boards, by id. A count on a board is null if the account is not on it. */
function readChanged(tx: Transaction, which: 'changed' | 'all', after: number) {
  return tx.query((db) => {
    const accounts = db
      .selectFrom('accounts')
      .leftJoin('leaderboard', 'leaderboard.account', 'accounts.id')
      .leftJoin('rare_counts', 'rare_counts.account', 'accounts.id')
      .select((eb) => ['accounts.id as account', eb.ref('accounts.address').$castTo<Address>().as('address')])
      .select(MEASURES.map((measure) => `accounts.${measure}` as const))
      .select(COUNTED.map((measure) => `leaderboard.${measure} as ranked_${measure}` as const))
      .select(RARELY_COUNTED.map((measure) => `rare_counts.${measure} as ranked_${measure}` as const))
      .where('accounts.id', '>', after)
      .where((eb) =>
        eb.or([
          ...COUNTED.map((measure) =>
            eb(`accounts.${measure}`, '<>', eb.fn.coalesce(`leaderboard.${measure}`, eb.lit(0))),
          ),
          ...RARELY_COUNTED.map((measure) =>
            eb(`accounts.${measure}`, '<>', eb.fn.coalesce(`rare_counts.${measure}`, eb.lit(0))),
          ),
        ]),
      )
      .orderBy('accounts.id')
      .limit(ROUND[which]);
    return which === 'all'
      ? accounts
      : accounts.where('accounts.id', 'in', (eb) =>
          eb.selectFrom('changed_accounts').select('changed_accounts.account'),
        );
  });
}

type ChangedAccount = Awaited<ReturnType<typeof readChanged>>[number];

const wasOn = (board: Board, row: ChangedAccount) => row[`ranked_${BOARDS[board][0]}`] !== null;
const isOn = (board: Board, row: ChangedAccount) => BOARDS[board].some((measure) => row[measure] > 0);
const isNew = (board: Board, row: ChangedAccount) => isOn(board, row) && !wasOn(board, row);

async function updateBoard(
  tx: Transaction,
  board: Board,
  changed: readonly ChangedAccount[],
  shares: Shares,
): Promise<void> {
  const measures: readonly Measure[] = BOARDS[board];
  const present = changed.filter((row) => wasOn(board, row) || isOn(board, row));
  const rowOf = (row: ChangedAccount) => ({ ...row, address_key: row.address });
  await tx.remove(board, present.filter((row) => !isOn(board, row)).map(rowOf));
  await tx.insert(board as 'leaderboard', present.filter((row) => isNew(board, row)).map(rowOf));
  const stayed = present.filter((row) => wasOn(board, row) && isOn(board, row));
  for (const measure of measures) {
    // Only the changed columns: each has indexes of its own, and most changes are of one count.
    const patched = stayed.filter((row) => row[measure] !== row[`ranked_${measure}`]);
    // Safe, also above: a board has a column for each of its measures.
    await tx.patch(board as 'leaderboard', [measure as 'followers'], patched.map(rowOf));
    for (const row of present) {
      if (wasOn(board, row)) shares.add(measure, row[`ranked_${measure}`] ?? 0, -1);
      if (isOn(board, row)) shares.add(measure, row[measure], 1);
    }
  }
}

/** By how much the number of accounts with a count changes. */
class Shares {
  readonly #deltas = new Map<string, Row<'ranked_counts'>>();

  add(measure: Measure, count: number, accounts: 1 | -1): void {
    const key = `${measure} ${count}`;
    const known = this.#deltas.get(key);
    if (known === undefined) this.#deltas.set(key, { measure, count, accounts });
    else known.accounts += accounts;
  }

  async write(tx: Transaction): Promise<void> {
    const changed = [...this.#deltas.values()].filter(({ accounts }) => accounts !== 0);
    const keys = changed.map(({ measure, count }) => [measure, count]);
    for (const { measure, count, accounts } of await tx.read('ranked_counts', ['measure', 'count'], keys)) {
      const share = this.#deltas.get(`${measure} ${count}`);
      if (share !== undefined) share.accounts += accounts;
    }
    await tx.remove(
      'ranked_counts',
      changed.filter(({ accounts }) => accounts === 0),
    );
    await tx.upsert(
      'ranked_counts',
      changed.filter(({ accounts }) => accounts > 0),
    );
  }
}

/** Counts how many accounts have each count. */
export async function countAllShares(tx: Transaction): Promise<void> {
  await tx.execute((db) => db.deleteFrom('ranked_counts'));
  for (const board of BOARD_NAMES) {
    for (const measure of BOARDS[board]) {
      const shares = await tx.query((db) =>
        db
          // Safe: a board has a column for each of its measures.
          .selectFrom(board as 'leaderboard')
          .select((eb) => [`${measure as 'followers'} as count`, eb.fn.countAll<number>().as('accounts')])
          .groupBy(measure as 'followers'),
      );
      await tx.insert(
        'ranked_counts',
        shares.map((share) => ({ measure, ...share })),
      );
    }
  }
}

/** Lists the members that are searched with other followers, and the accounts whose edges do not have those of this ranking. */
async function listChanges(tx: Transaction, changed: readonly ChangedAccount[]): Promise<void> {
  const moved = changed.filter(
    (row) => row.followers !== (row.ranked_followers ?? 0) || wasOn('leaderboard', row) !== isOn('leaderboard', row),
  );
  await listSearchChanges(
    tx,
    moved.map(({ account }) => account),
  );
  await tx.upsert(
    'popularity_changes',
    moved
      .filter(({ followers, ranked_followers }) => followers !== (ranked_followers ?? 0))
      .map(({ account }) => ({ account, patched: 0 })),
  );
}
