import { settleAll } from '../async/settle-all.ts';
import type { Edge } from '../graph/fold-record.ts';
import { backCode, RELATION_CODES, RELATIONS, type Relation } from '../graph/relation.ts';
import type { DatedOp } from '../rows/cells.ts';
import { type Ids, tagKey } from '../rows/ids.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import { type EdgeChange, edgeKey, type Notification, type TouchedRecord } from './graph-change.ts';
import type { RegisterRows } from './register-rows.ts';

export type Relations = Awaited<ReturnType<typeof readReverseEdges>>;

/**
 * Reads the reverse edges of changed edges: rows of edges hold their relation, and mutuals are counted from them. Returns
 * the relations of edges before and after the change, including those of unchanged reverse edges.
 */
export async function readReverseEdges(
  tx: Transaction,
  ids: Ids,
  registers: RegisterRows,
  changes: ReadonlyMap<string, EdgeChange>,
) {
  await registers.accounts.load([...changes.values()].map((change) => change.target));
  const missing = new Map<string, { key: string; slot: number; account: number }>();
  for (const { source, target } of changes.values()) {
    const key = edgeKey(target, source);
    const slot = registers.accounts.after(target).active_slot;
    if (slot === null || changes.has(key)) continue;
    const account = ids.requireId(source);
    missing.set(`${slot} ${account}`, { key, slot, account });
  }
  const rows = await tx.read(
    'records',
    ['slot', 'account'],
    [...missing.values()].map(({ slot, account }) => [slot, account]),
  );
  const unchanged = new Map(rows.map((row) => [missing.get(`${row.slot} ${row.account}`)?.key ?? '', row]));
  const relation =
    (time: 'before' | 'after') =>
    (source: string, target: string): Relation | null => {
      const key = edgeKey(source, target);
      const change = changes.get(key);
      return change === undefined ? relationIn(unchanged.get(key)) : (change[time]?.relation ?? null);
    };
  return {
    before: relation('before'),
    after: relation('after'),
    /** The record of the reverse edge of a changed one, if it has not changed itself. */
    unchanged: (source: string, target: string) => unchanged.get(edgeKey(source, target)),
  };
}

function relationIn(row: Row<'records'> | undefined): Relation | null {
  if (row === undefined) return null;
  const known = RELATIONS[row.relation];
  if (known === undefined) throw new Error(`the database has a record with relation ${row.relation}`);
  return known;
}

export interface EdgeRows {
  readonly edges: Row<'edges'>[];
  readonly tags: Row<'edge_tags'>[];
}

/** What the rows of an edge hold besides the record itself. `address_key` is that of the source. */
type EdgeContext = Pick<Row<'edges'>, 'target' | 'source' | 'address_key' | 'back' | 'popularity'>;

/** Adds the rows of an edge. `tagIdOf` returns the id of a tag. */
export function addEdgeRows(
  rows: EdgeRows,
  edge: Edge | null,
  context: EdgeContext,
  tagIdOf: (tag: string) => number,
): void {
  if (edge === null) return;
  const { target, source, address_key, back, popularity } = context;
  const relation = RELATION_CODES[edge.relation];
  const { time, tags } = edge;
  const tagged = tags.length > 0 ? 1 : 0;
  rows.edges.push({ target, time, address_key, source, relation, back, popularity, tagged });
  for (const tag of tags) {
    rows.tags.push({ target, tag: tagIdOf(tag), time, address_key, source, relation, back, popularity });
  }
}

/** Writes the rows of the changed edges, and their relation into the rows of the reverse edges. */
export async function writeEdgeRows(
  tx: Transaction,
  ids: Ids,
  changes: readonly EdgeChange[],
  relations: Relations,
): Promise<number> {
  const popularity = await readPopularity(tx, ids, changes);
  const removed: EdgeRows = { edges: [], tags: [] };
  const added: EdgeRows = { edges: [], tags: [] };
  const tagIdOf = (tag: string) => ids.requireId(tagKey(tag));
  for (const { source, target, before, after } of changes) {
    const sourceId = ids.requireId(source);
    const context = {
      target: ids.requireId(target),
      source: sourceId,
      address_key: source,
      back: backCode(relations.after(target, source)),
      popularity: popularity.get(sourceId) ?? 0,
    };
    addEdgeRows(removed, before, context, tagIdOf);
    addEdgeRows(added, after, context, tagIdOf);
  }
  // Delete first: the time of an edge may change, and it is part of the key.
  await settleAll([
    tx.remove('edges', removed.edges),
    tx.remove('edge_tags', removed.tags),
    tx.upsert('edges', added.edges),
    tx.upsert('edge_tags', added.tags),
    patchReverseEdges(tx, ids, changes, relations),
  ]);
  return countFollows(added) - countFollows(removed);
}

/** Follower counts of the sources as of the last ranking. */
async function readPopularity(
  tx: Transaction,
  ids: Ids,
  changes: readonly EdgeChange[],
): Promise<ReadonlyMap<number, number>> {
  const sources = new Set(changes.map(({ source }) => ids.requireId(source)));
  const members = await tx.readBy('leaderboard', 'account', [...sources]);
  return new Map(members.map(({ account, followers }) => [account, followers]));
}

/** Sets `back` in the rows of edges that have not changed themselves. */
async function patchReverseEdges(
  tx: Transaction,
  ids: Ids,
  changes: readonly EdgeChange[],
  relations: Relations,
): Promise<void> {
  const edges: Partial<Row<'edges'>>[] = [];
  const tagged = new Map<string, Partial<Row<'edge_tags'>> & { slot: number; account: number }>();
  for (const { source, target, before, after } of changes) {
    const reverse = relations.unchanged(target, source);
    if (reverse === undefined || before?.relation === after?.relation) continue;
    const key = {
      target: ids.requireId(source),
      time: reverse.time,
      address_key: target,
      back: backCode(after?.relation ?? null),
    };
    edges.push(key);
    if (reverse.tagged === 1)
      tagged.set(`${reverse.slot} ${key.target}`, { ...key, slot: reverse.slot, account: key.target });
  }
  const keys = [...tagged.values()].map(({ slot, account }) => [slot, account]);
  const tags = await tx.read('record_tags', ['slot', 'account'], keys);
  const rows = tags.map(({ slot, account, tag }) => ({ ...tagged.get(`${slot} ${account}`), tag }));
  await settleAll([tx.patch('edges', ['back'], edges), tx.patch('edge_tags', ['back'], rows)]);
}

export function countFollows({ edges }: EdgeRows): number {
  return edges.filter(({ relation }) => relation === RELATION_CODES.follow).length;
}

export async function writeRecords(tx: Transaction, ids: Ids, touched: readonly TouchedRecord[]): Promise<void> {
  const removed: RecordRows = { records: [], tags: [] };
  const added: RecordRows = { records: [], tags: [] };
  for (const { slot, address, before, after, isChanged } of touched) {
    if (!isChanged) continue;
    const key = { slot: ids.requireId(slot), account: ids.requireId(address), address_key: address };
    addRecordRows(removed, ids, key, before);
    addRecordRows(added, ids, key, after);
  }
  const keyOf = ({ slot, account, tag }: RecordRows['tags'][number]) => `${slot} ${account} ${tag}`;
  const [before, after] = [new Set(removed.tags.map(keyOf)), new Set(added.tags.map(keyOf))];
  // Remove first: the time of a record may change, and it is part of the key.
  await settleAll([
    tx.remove('records', removed.records),
    tx.upsert('records', added.records),
    tx.remove(
      'record_tags',
      removed.tags.filter((row) => !after.has(keyOf(row))),
    ),
    tx.insert(
      'record_tags',
      added.tags.filter((row) => !before.has(keyOf(row))),
    ),
  ]);
}

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

/** `notifications.tag` of ops without a tag. */
export const NO_TAG = 0;

/** Deletes and upserts notifications. The ids of their accounts and tags must have been assigned. */
export async function writeNotifications(
  tx: Transaction,
  ids: Ids,
  removed: readonly DatedOp[],
  added: readonly Notification[],
): Promise<void> {
  await settleAll([
    tx.remove(
      'notifications',
      removed.map((op) => keyOf(ids, op)),
    ),
    tx.upsert(
      'notifications',
      added.map((notification) => notificationRow(ids, notification)),
    ),
  ]);
}

function notificationRow(ids: Ids, { op, source }: Notification): Row<'notifications'> {
  const { opcode, tag } = op;
  return {
    ...keyOf(ids, op),
    source: ids.requireId(source),
    opcode,
    tag: tag === '' ? NO_TAG : ids.requireId(tagKey(tag)),
  };
}

function keyOf(ids: Ids, { record, time, log }: DatedOp) {
  const { chain_id, block_number, log_index } = log.row;
  return { target: ids.requireId(record), time, chain_id, block_number, log_index };
}
