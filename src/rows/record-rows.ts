import type { Edge } from '../graph/fold-record.ts';
import { RELATION_CODES } from '../graph/relation.ts';
import type { Row } from '../store/schema.ts';
import { type Ids, tagKey } from './ids.ts';

export interface RecordRows {
  readonly records: Row<'records'>[];
  readonly tags: Row<'record_tags'>[];
}

/** Adds the rows of a record of a slot. The ids of the tags must have been assigned. */
export function addRecordRows(
  rows: RecordRows,
  ids: Ids,
  { slot, account, address_key }: Pick<Row<'records'>, 'slot' | 'account' | 'address_key'>,
  edge: Edge | null,
): void {
  if (edge === null) return;
  const { relation, tags, time } = edge;
  rows.records.push({
    ...{ slot, time, address_key, account },
    relation: RELATION_CODES[relation],
    tagged: tags.length > 0 ? 1 : 0,
  });
  for (const tag of tags) rows.tags.push({ slot, account, tag: ids.requireId(tagKey(tag)) });
}
