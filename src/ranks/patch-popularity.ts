import { type Edge, foldRecord } from '../graph/fold-record.ts';
import { CellReader, type Cells, datedOps, recordsOf } from '../rows/cells.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';

/** Accounts per round. Bounds the edges in memory: one account may follow thousands. */
const ROUND = 500;

/** An account whose follower count is not the one that its follow edges are sorted by. */
export type StaleAccount = Pick<Row<'accounts'>, 'address' | 'followers' | 'active_slot'>;

/**
 * Writes the new follower counts of accounts into the rows of all accounts they follow. Rows are keyed by target, so
 * an account's edges are found by folding its active slot.
 */
export async function patchPopularity(tx: Transaction, accounts: readonly StaleAccount[]): Promise<void> {
  for (let start = 0; start < accounts.length; start += ROUND) {
    await patchRound(tx, accounts.slice(start, start + ROUND));
  }
}

type EdgePatch = Pick<Row<'followers'>, 'target' | 'time' | 'address' | 'popularity'>;

async function patchRound(tx: Transaction, accounts: readonly StaleAccount[]): Promise<void> {
  const slots = accounts.map(({ active_slot }) => active_slot).filter((slot) => slot !== null);
  const cells = await new CellReader(tx).readSubjects(slots);
  const followers: EdgePatch[] = [];
  const tags: (EdgePatch & Pick<Row<'follower_tags'>, 'tag'>)[] = [];
  for (const account of accounts) {
    for (const [target, edge] of followsOf(cells, account)) {
      const patch = { target, time: edge.time, address: account.address, popularity: account.followers };
      followers.push(patch);
      for (const tag of edge.tags) tags.push({ ...patch, tag });
    }
  }
  await tx.patch('followers', ['popularity'], followers);
  await tx.patch('follower_tags', ['popularity'], tags);
}

function* followsOf(cells: Cells, { address, active_slot }: StaleAccount): Generator<[target: string, Edge]> {
  if (active_slot === null) return;
  for (const [target, logs] of recordsOf(cells, active_slot, address)) {
    const edge = foldRecord(datedOps(logs));
    if (edge?.relation === 'follow') yield [target, edge];
  }
}
