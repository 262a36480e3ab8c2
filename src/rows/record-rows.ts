import type { Edge } from '../graph/fold-record.ts';
import { RELATION_CODES, RELATIONS } from '../graph/relation.ts';
import type { Row } from '../store/schema.ts';

/** `slot` is the id of the slot in `subjects`. */
export function recordRow(slot: number, address: string, { relation, tags, time }: Edge): Row<'records'> {
  return { slot, time, address, relation: RELATION_CODES[relation], tags: JSON.stringify(tags) };
}

export function edgeOfRecord({ relation, tags, time }: Row<'records'>): Edge {
  const known = RELATIONS[relation];
  if (known === undefined) throw new Error(`the database has a record with relation ${relation}`);
  // Safe: the column holds what `recordRow` serialised.
  return { relation: known, tags: JSON.parse(tags) as string[], time };
}
