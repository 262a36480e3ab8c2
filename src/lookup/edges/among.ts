import { sql } from 'kysely';
import type { AmongEdge, EdgesAmongBody } from '../../contract/batch-schemas.ts';
import { RELATIONS } from '../../graph/relation.ts';
import type { Address } from '../../protocol/hex.ts';
import { param } from '../../store/params.ts';
import { statement } from '../../store/statement.ts';
import type { StreamReader } from '../../store/store.ts';
import { addressesOf, type Other } from '../refs/resolve-many.ts';
import { parseTags, tagsOf } from './edge-entries.ts';

/** Bounds the edges, and the records that are looked up, to the pairs of these. */
export const MAX_AMONG = 200;

interface AmongRow {
  readonly source: Address;
  readonly target: Address;
  readonly relation: number;
  /** As a JSON array; null if there are none. */
  readonly tags: string | null;
}

/** Looks up each pair in an index: an account may have many more records than the set has accounts. */
const edgesAmong = statement<{ accounts: string }, AmongRow>((db, dialect) => {
  const found = sql<AmongRow>`(with given as (select id, address, active_slot from accounts
      where address in ${dialect.textsOf(param('accounts'))})
    select source.address as source, target.address as target, records.relation,
      ${tagsOf(dialect, sql`records.slot`, sql`records.account`)} as tags
    from given as source cross join given as target
    join records on records.slot = source.active_slot and records.account = target.id
    where source.id <> target.id)`;
  return db.selectFrom(found.as('found')).selectAll().orderBy('source').orderBy('target');
});

/** All edges whose source and target are both among some accounts. */
export async function* streamEdgesAmong(
  reader: StreamReader,
  others: readonly Other[],
): AsyncGenerator<EdgesAmongBody> {
  yield { accounts: others.map(({ address }) => address), edges: [] };
  const params = { accounts: JSON.stringify(addressesOf(others)) };
  for await (const rows of reader.stream(edgesAmong, params)) yield { accounts: [], edges: rows.map(edgeOf) };
}

function edgeOf({ source, target, relation, tags }: AmongRow): AmongEdge {
  // Safe: the column holds the code of a relation.
  return { source, target, relation: RELATIONS[relation] as AmongEdge['relation'], tags: parseTags(tags) };
}
