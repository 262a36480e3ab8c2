import { randomInt } from 'node:crypto';
import type { Transaction } from '../store/store.ts';

/** A process that is further behind loads all members again, which takes less time than as many changes. */
const MAX_CHANGES = 100_000;
/** A double holds it. */
const MAX_VERSION = 2 ** 47;

/** Lists accounts whose place on the leaderboard or whose name has changed, for the processes that search them in memory. */
export async function listSearchChanges(tx: Transaction, accounts: readonly number[]): Promise<void> {
  if (accounts.length === 0) return;
  const last = (await readLast(tx)) + accounts.length;
  const kept = accounts.slice(-MAX_CHANGES);
  const version = randomInt(MAX_VERSION);
  await tx.insert(
    'search_changes',
    kept.map((account, i) => ({ sequence: last - kept.length + 1 + i, account, version: version + i })),
  );
  await tx.execute((db) => db.deleteFrom('search_changes').where('sequence', '<=', last - MAX_CHANGES));
}

/** The same for all accounts: every process loads them again. */
export async function listSearchReload(tx: Transaction): Promise<void> {
  const sequence = (await readLast(tx)) + 1;
  await tx.execute((db) => db.deleteFrom('search_changes'));
  await tx.insert('search_changes', [{ sequence, account: 0, version: randomInt(MAX_VERSION) }]);
}

async function readLast(tx: Transaction): Promise<number> {
  const [last] = await tx.query((db) =>
    db.selectFrom('search_changes').select((eb) => eb.fn.max('sequence').as('sequence')),
  );
  return last?.sequence ?? 0;
}
