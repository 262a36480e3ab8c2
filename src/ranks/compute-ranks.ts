import { COUNTED, RARELY_COUNTED } from '../graph/counts.ts';
import { ranksOf, type Share } from '../graph/ranks.ts';
import type { Row } from '../store/schema.ts';
import { readState } from '../store/state.ts';
import type { Transaction } from '../store/store.ts';
import { updateLeaderboard } from './update-leaderboard.ts';
import { updateRareCounts } from './update-rare-counts.ts';

/**
 * Updates leaderboard, rare counts, ranks and popularity if the graph has changed since the last ranking, writing only rows that
 * differ. Returns the addresses of new members; null if there was nothing to do, or while logs wait for a bulk fold:
 * popularity is written by folding logs that the rows must agree with, and the bulk fold ranks when it is done. It sets
 * `popularityIsWritten`, because it has written every edge row with the counts of the new graph.
 */
export async function computeRanks(
  tx: Transaction,
  now: number,
  { popularityIsWritten = false } = {},
): Promise<string[] | null> {
  const numberOf = await readState(tx);
  const graphVersion = numberOf('graph_version');
  if (graphVersion === numberOf('ranks_graph_version') || numberOf('unfolded_logs') > 0) return null;

  const joined = await updateLeaderboard(tx, numberOf('ranked'), popularityIsWritten);
  await updateRareCounts(tx);
  const ranked = await writeRanks(tx);
  // Readers identify a ranking by its time, so each has a later one than the last, whatever the clock says.
  const madeAt = Math.max(now, numberOf('ranked_at') + 1);
  await tx.upsert('state', [
    { key: 'ranks_graph_version', value: graphVersion },
    { key: 'ranked_at', value: madeAt },
    { key: 'ranked', value: ranked },
  ]);
  await tx.raiseVersion();
  return joined;
}

/** Writes the rank of every count and returns the number of members. */
async function writeRanks(tx: Transaction): Promise<number> {
  const rows: Row<'ranks'>[] = [];
  const rank = (measure: Row<'ranks'>['measure'], shares: readonly Share[]) => {
    for (const [count, rank] of ranksOf(shares)) rows.push({ measure, count, rank });
  };
  let members = 0;
  for (const measure of COUNTED) {
    const shares = await tx.query((db) =>
      db
        .selectFrom('leaderboard')
        .select((eb) => [`${measure} as count`, eb.fn.countAll<number>().as('accounts')])
        .groupBy(measure),
    );
    rank(measure, shares);
    members = shares.reduce((sum, { accounts }) => sum + accounts, 0);
  }
  for (const measure of RARELY_COUNTED) {
    const shares = await tx.query((db) =>
      db
        .selectFrom('rare_counts')
        .select((eb) => ['count', eb.fn.countAll<number>().as('accounts')])
        .where('measure', '=', measure)
        .groupBy('count'),
    );
    rank(measure, shares);
  }
  const keyOf = ({ measure, count }: Row<'ranks'>) => `${measure} ${count}`;
  const known = new Map((await tx.query((db) => db.selectFrom('ranks').selectAll())).map((row) => [keyOf(row), row]));
  const changed = rows.filter((row) => known.get(keyOf(row))?.rank !== row.rank);
  for (const row of rows) known.delete(keyOf(row));
  await tx.upsert('ranks', changed);
  await tx.remove('ranks', [...known.values()]);
  return members;
}
