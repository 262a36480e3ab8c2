import { foldRecord } from '../graph/fold-record.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import { CellReader, type Cells, datedOps, recordsOf } from './change.ts';
import { blankAccount } from './registers.ts';
import { sameRow } from './row-set.ts';

/** Accounts per round: bounds the edges in memory, for one account may follow thousands. */
const ROUND = 500;

/**
 * Orders the accounts whose follower count has changed anew among the followers of those they follow.
 * Apart from applying logs because it touches every edge of such an account: once per commit of a live block,
 * and once at the end of a bulk load.
 */
export async function placeAccounts(tx: Transaction): Promise<void> {
  for (;;) {
    const waiting = await tx.query((db) =>
      db.selectFrom('accounts').selectAll().whereRef('popularity', '<>', 'followers').limit(ROUND),
    );
    if (waiting.length === 0) return;
    await placeRound(tx, waiting);
  }
}

async function placeRound(tx: Transaction, waiting: readonly Row<'accounts'>[]): Promise<void> {
  const slots = waiting.map((account) => account.active_slot).filter((slot) => slot !== null);
  const cells = await new CellReader(tx).readSubjects(slots);
  const edges: Pick<Row<'followers'>, 'target' | 'time' | 'address' | 'popularity'>[] = [];
  const tags: (Pick<Row<'follower_tags'>, 'tag'> & (typeof edges)[number])[] = [];
  for (const { address, active_slot, followers } of waiting) {
    for (const edge of followsOf(cells, address, active_slot)) {
      const place = { target: edge.target, time: edge.time, address, popularity: followers };
      edges.push(place);
      for (const tag of edge.tags) tags.push({ ...place, tag });
    }
  }
  await tx.patch('followers', ['popularity'], edges);
  await tx.patch('follower_tags', ['popularity'], tags);

  const placed = waiting.map((account) => ({ ...account, popularity: account.followers }));
  const isBlank = (account: Row<'accounts'>) => sameRow(account, blankAccount(account.address));
  await tx.patch('accounts', ['popularity'], placed);
  const blank = placed.filter(isBlank);
  await tx.remove('accounts', blank);
  await tx.count({ accounts: -blank.length });
}

function* followsOf(cells: Cells, account: string, slot: string | null) {
  if (slot === null) return;
  for (const [target, logs] of recordsOf(cells, slot, account)) {
    const edge = foldRecord(datedOps(logs));
    if (edge?.relation === 'follow') yield { target, ...edge };
  }
}
