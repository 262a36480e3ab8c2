import { COUNTED } from '../graph/counts.ts';
import { ranksOf } from '../graph/ranks.ts';
import type { Row } from '../store/schema.ts';
import type { Store, Transaction } from '../store/store.ts';
import { takeMembers } from './take-members.ts';

/**
 * Makes the leaderboard, if the graph has changed since it was last made, and tells who is new on it; null if it had
 * not changed. Only rows that differ are written.
 */
export async function computeRanks(tx: Transaction, now: number): Promise<string[] | null> {
  const state = new Map(
    (await tx.query((db) => db.selectFrom('state').selectAll())).map((row) => [row.key, row.value]),
  );
  const graphVersion = state.get('graph_version') ?? 0;
  if (graphVersion === state.get('ranks_graph_version')) return null;

  const joined = await takeMembers(tx, state.get('ranked') ?? 0);
  const ranked = await writeRanks(tx);
  // Later than the last, whatever the clock says: readers know a making by its time.
  const madeAt = Math.max(now, (state.get('ranks_made_at') ?? 0) + 1);
  await tx.upsert('state', [
    { key: 'ranks_graph_version', value: graphVersion },
    { key: 'ranks_made_at', value: madeAt },
    { key: 'ranked', value: ranked },
  ]);
  await tx.raiseVersion();
  return joined;
}

/** Ranks the counts of the members, and tells how many members there are. */
async function writeRanks(tx: Transaction): Promise<number> {
  const rows: Row<'ranks'>[] = [];
  let members = 0;
  for (const measure of COUNTED) {
    const shares = await tx.query((db) =>
      db
        .selectFrom('leaderboard')
        .select((eb) => [`${measure} as count`, eb.fn.countAll<number>().as('accounts')])
        .groupBy(measure),
    );
    for (const [count, rank] of ranksOf(shares)) rows.push({ measure, count, rank });
    members = shares.reduce((sum, { accounts }) => sum + accounts, 0);
  }
  const keyOf = ({ measure, count }: Row<'ranks'>) => `${measure} ${count}`;
  const known = new Map((await tx.query((db) => db.selectFrom('ranks').selectAll())).map((row) => [keyOf(row), row]));
  const changed = rows.filter((row) => known.get(keyOf(row))?.rank !== row.rank);
  for (const row of rows) known.delete(keyOf(row));
  await tx.upsert('ranks', changed);
  await tx.remove('ranks', [...known.values()]);
  return members;
}

/** Makes the leaderboard where a migration of the database has left it to be made. */
export async function computeOverdueRanks({ reader, transaction }: Store, now: number): Promise<void> {
  const made = reader.prepareColumn<object, number>((db) =>
    db.selectFrom('state').select('value').where('key', '=', 'ranks_graph_version'),
  );
  const [version = 0] = await made({});
  if (version < 0) await transaction((tx) => computeRanks(tx, now));
}
