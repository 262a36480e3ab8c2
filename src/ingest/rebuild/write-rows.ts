import { overlap } from '../../async/batches.ts';
import { settleAll } from '../../async/settle-all.ts';
import { mutualsOfPair } from '../../graph/counts.ts';
import { backCode, RELATIONS } from '../../graph/relation.ts';
import { tagKey } from '../../rows/ids.ts';
import type { Row } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import { addEdgeRows, addRecordRows, countFollows, type EdgeRows, NO_TAG, type RecordRows } from '../graph-rows.ts';
import { NO_ACCOUNT } from './collected-logs.ts';
import { compareMoments, edgeAt, type Graph, type RowInputs } from './fold-graph.ts';
import { type Grouping, groupBy, groupOf, inChunks } from './numbers.ts';

/** Writes the records of every slot in key order into the empty tables. */
export async function writeAllRecords(
  tx: Transaction,
  inputs: RowInputs,
  graph: Graph,
  bySlot: Grouping,
): Promise<void> {
  await overlap(recordRows(inputs, graph, bySlot), async ({ records, tags }) => {
    await settleAll([tx.insert('records', records), tx.insert('record_tags', tags.sort(byKey))]);
  });
}

function byKey(a: RecordRows['tags'][number], b: RecordRows['tags'][number]): number {
  return a.slot - b.slot || a.account - b.account || a.tag - b.tag;
}

function recordRows({ ids }: RowInputs, { records }: Graph, bySlot: Grouping): Generator<RecordRows> {
  const addressOf = (record: number) => ids.addressOf(records.account.at(record));
  const addRows = (rows: RecordRows, slot: number) => {
    const ofSlot = groupOf(bySlot, slot);
    ofSlot.sort((a, b) => records.time.at(b) - records.time.at(a) || (addressOf(a) < addressOf(b) ? -1 : 1));
    for (const record of ofSlot) {
      const account = records.account.at(record);
      addRecordRows(rows, ids, { slot, account, address_key: addressOf(record) }, edgeAt(records, record));
    }
  };
  // The last start is the end of the last slot.
  const slots = bySlot.start.subarray(0, -1).keys();
  return inChunks(
    slots,
    (): RecordRows => ({ records: [], tags: [] }),
    addRows,
    (rows) => rows.records.length,
  );
}

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

type NotificationRows = Row<'notifications'>[];

/** Writes the notifications of every account in key order into the empty table. */
export async function writeAllNotifications(tx: Transaction, inputs: RowInputs): Promise<void> {
  await overlap(notificationRows(inputs), (rows) => tx.insert('notifications', rows));
}

function notificationRows({ ids, collected: { ops }, accountOf, accounts }: RowInputs): Generator<NotificationRows> {
  const byRecord = groupBy(ops.record, ids.end);
  // The key of a slot starts with the id of its chain.
  const chainOf = Float64Array.from(accountOf, (account, slot) =>
    account === NO_ACCOUNT ? 0 : Number.parseInt(ids.keyOf(slot), 10),
  );
  // Safe, here and below: every slot has an entry.
  const sourceOf = (op: number) => accountOf[ops.slot.at(op)] as number;
  const chain = (op: number) => chainOf[ops.slot.at(op)] as number;

  function addRows(rows: NotificationRows, target: number): void {
    const counted = groupOf(byRecord, target).filter((op) => {
      const source = sourceOf(op);
      return source !== NO_ACCOUNT && source !== target;
    });
    counted.sort((a, b) => ops.time.at(a) - ops.time.at(b) || chain(a) - chain(b) || compareMoments(ops, a, b));
    for (const op of counted) {
      const tag = ops.tags.get(op);
      rows.push({
        target,
        time: ops.time.at(op),
        chain_id: chain(op),
        block_number: ops.block.at(op),
        log_index: ops.index.at(op),
        source: sourceOf(op),
        opcode: ops.opcode.at(op),
        tag: tag === undefined ? NO_TAG : ids.requireId(tagKey(tag)),
      });
    }
  }

  return inChunks(
    accounts,
    (): NotificationRows => [],
    addRows,
    (rows) => rows.length,
  );
}
