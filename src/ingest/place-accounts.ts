import { foldRecord } from '../graph/fold-record.ts';
import { CellReader, type Cells, datedOps, recordsOf } from '../rows/cells.ts';
import { readLogsState } from '../rows/stored-log.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';

/** Accounts per round: bounds the edges in memory, for one account may follow thousands. */
const ROUND = 500;

/** Edges per transaction where somebody may be waiting to write: some 50 ms on a graph of a million accounts. */
const FEW_EDGES = 250;

/**
 * Orders the accounts whose follower count has changed anew among the followers of those they follow, until at most
 * `left` of them wait. Apart from applying logs because it touches every edge of such an account, and changes no answer:
 * where those who wait belong is looked up with every page (`lookup/waiting-followers.ts`), so there should be few.
 */
export async function placeAccounts(tx: Transaction, left = 0): Promise<void> {
  for (;;) {
    const waiting = await findWaiting(tx, left + ROUND);
    if (waiting.length <= left) return;
    await placeRound(tx, await readAccounts(tx, waiting.slice(left)));
  }
}

/** Places as many as a short transaction can. Tells whether there may be more. */
export async function placeFew(tx: Transaction, mostEdges = FEW_EDGES): Promise<boolean> {
  const waiting = await readAccounts(tx, await findWaiting(tx, mostEdges));
  let edges = 0;
  const few = waiting.filter(({ following }) => {
    const isOver = edges >= mostEdges;
    edges += following;
    return !isOver;
  });
  await placeRound(tx, few);
  return waiting.length === mostEdges || few.length < waiting.length;
}

async function findWaiting(tx: Transaction, most: number): Promise<string[]> {
  // Where an account's edges are is told by its logs: while some are not folded, nobody can be placed, and folding does.
  const { unfolded } = await readLogsState(tx);
  if (unfolded > 0) return [];
  const rows = await tx.query((db) =>
    db
      .selectFrom('accounts')
      .select('address')
      .whereRef('popularity', '<>', 'followers')
      // In the order of their index, which PostgreSQL might not go by otherwise: it takes nearly all accounts to wait.
      .orderBy('address')
      .limit(most),
  );
  return rows.map(({ address }) => address);
}

function readAccounts(tx: Transaction, addresses: readonly string[]): Promise<Row<'accounts'>[]> {
  return tx.read(
    'accounts',
    ['address'],
    addresses.map((address) => [address]),
  );
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

  await tx.patch(
    'accounts',
    ['popularity'],
    waiting.map(({ address, followers }) => ({ address, popularity: followers })),
  );
}

function* followsOf(cells: Cells, account: string, slot: string | null) {
  if (slot === null) return;
  for (const [target, logs] of recordsOf(cells, slot, account)) {
    const edge = foldRecord(datedOps(logs));
    if (edge?.relation === 'follow') yield { target, ...edge };
  }
}
