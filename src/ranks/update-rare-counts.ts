import { sql } from 'kysely';
import { RARELY_COUNTED, type RareCount } from '../graph/counts.ts';
import { RELATION_CODES } from '../graph/relation.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';

/** The edges that each count is of, and the end of them that is counted. */
const EDGES = {
  blocks_given: { relation: RELATION_CODES.block, end: 'source' },
  mutes_given: { relation: RELATION_CODES.mute, end: 'source' },
  mutes: { relation: RELATION_CODES.mute, end: 'target' },
} as const satisfies Record<RareCount, object>;

type Address = Row<'rare_counts'>['address_key'];

/** Brings `rare_counts` up to the edges, writing only rows that differ. */
export async function updateRareCounts(tx: Transaction): Promise<void> {
  for (const measure of RARELY_COUNTED) {
    const rows = (await readChanged(tx, measure)).map((changed) => ({ measure, ...changed }));
    await tx.remove(
      'rare_counts',
      rows.filter(({ count }) => count === 0),
    );
    await tx.upsert(
      'rare_counts',
      rows.filter(({ count }) => count > 0),
    );
  }
}

/** The accounts whose count differs, with the new one. */
function readChanged(tx: Transaction, measure: RareCount) {
  const { relation, end } = EDGES[measure];
  // The condition of the partial index, which SQLite uses only if the statement repeats it.
  const edges = sql`select ${sql.ref(end)} as account, 1 as counted, 0 as known from edges
    where relation <> 0 and relation = ${sql.lit(relation)}`;
  const known = sql`select account, 0, count from rare_counts where measure = ${sql.lit(measure)}`;
  const changed = sql<{ account: number; count: number }>`(
    select account, sum(counted) as count from (${edges} union all ${known}) as counts
    group by account having sum(counted) <> sum(known))`;
  return tx.query((db) =>
    db
      .selectFrom(changed.as('changed'))
      .innerJoin('accounts', 'accounts.id', 'changed.account')
      .select((eb) => [
        'changed.account',
        'changed.count',
        eb.ref('accounts.address').$castTo<Address>().as('address_key'),
      ]),
  );
}
