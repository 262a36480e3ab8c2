import { overlap } from '../../async/batches.ts';
import { settleAll } from '../../async/settle-all.ts';
import { mutualsOfPair } from '../../graph/counts.ts';
import { backCode, RELATIONS } from '../../graph/relation.ts';
import { tagKey } from '../../rows/ids.ts';
import type { Row } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import { addEdgeRows, countFollows, type EdgeRows } from '../edge-rows.ts';
import { NO_ACCOUNT } from './collected-logs.ts';
import { edgeAt, type Graph } from './fold-graph.ts';
import { inChunks } from './in-chunks.ts';
import { type Grouping, groupBy, groupOf } from './numbers.ts';
import type { RowInputs } from './row-inputs.ts';

/**
 * Writes the edges to every account in key order into empty tables, and sets the mutuals in `graph.counts`. Returns the
 * number of follow edges.
 */
export async function writeAllEdges(
  tx: Transaction,
  inputs: RowInputs,
  graph: Graph,
  bySlot: Grouping,
): Promise<number> {
  let follows = 0;
  await overlap(edgeRows(inputs, graph, bySlot), async (rows) => {
    follows += countFollows(rows);
    await settleAll([tx.insert('edges', rows.edges), tx.insert('edge_tags', rows.tags.sort(byTag))]);
  });
  return follows;
}

/** Sorts by key; within one target, the rows of a tag are already in order. */
function byTag(a: Row<'edge_tags'>, b: Row<'edge_tags'>): number {
  return a.target - b.target || a.tag - b.tag;
}

const NONE = -1;

function edgeRows(inputs: RowInputs, graph: Graph, bySlot: Grouping): Generator<EdgeRows> {
  const { ids, slotOf, accountOf, accounts } = inputs;
  const { counts, records } = graph;
  const byAccount = groupBy(records.account, ids.end);
  /** The relation of the current target to each account, as a code. */
  const ownRelations = new Int8Array(ids.end).fill(NONE);
  const tagIdOf = (tag: string) => ids.requireId(tagKey(tag));
  // Safe, here and below: every slot and account has an entry.
  const sourceOf = (record: number) => accountOf[records.slot.at(record)] as number;
  const addressOf = (record: number) => ids.addressOf(sourceOf(record));

  function addRows(rows: EdgeRows, target: number): void {
    const slot = slotOf[target];
    const outgoing = slot === undefined ? [] : groupOf(bySlot, slot);
    for (const record of outgoing) ownRelations[records.account.at(record)] = records.relation.at(record);
    const incoming = groupOf(byAccount, target).filter((record) => {
      const source = sourceOf(record);
      return source !== NO_ACCOUNT && source !== target;
    });
    incoming.sort((a, b) => records.time.at(b) - records.time.at(a) || (addressOf(a) < addressOf(b) ? -1 : 1));
    let mutuals = 0;
    for (const record of incoming) {
      const source = sourceOf(record);
      const relation = RELATIONS[ownRelations[source] as number] ?? null;
      const edge = edgeAt(records, record);
      mutuals += mutualsOfPair(edge.relation, relation);
      const popularity = counts[source]?.followers ?? 0;
      const context = { target, source, address_key: addressOf(record), back: backCode(relation), popularity };
      addEdgeRows(rows, edge, context, tagIdOf);
    }
    for (const record of outgoing) ownRelations[records.account.at(record)] = NONE;
    const own = counts[target];
    if (own !== undefined) own.mutuals = mutuals;
  }

  return inChunks(
    accounts,
    (): EdgeRows => ({ edges: [], tags: [] }),
    addRows,
    ({ edges }) => edges.length,
  );
}
