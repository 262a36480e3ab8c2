import { settleAll } from '../async/settle-all.ts';
import { addCounts, countsOfEdge, mutualsOfPair } from '../graph/counts.ts';
import { CellReader, type Change, touchedCells } from '../rows/cells.ts';
import { type Ids, tagKey } from '../rows/ids.ts';
import { isRecord } from '../rows/stored-log.ts';
import type { Transaction } from '../store/store.ts';
import {
  collectGraphChange,
  countListed,
  decideActivity,
  type EdgeChange,
  foldTouched,
  type GraphChange,
  type TouchedRecord,
} from './graph-change.ts';
import { type Relations, readReverseEdges, writeEdgeRows, writeNotifications, writeRecords } from './graph-rows.ts';
import { countMinted, RegisterRows, setListAccounts, setRegisters, sortSubjects } from './register-rows.ts';

/**
 * Updates every row that the change affects to what a clean replay of the current logs would give, except `popularity`,
 * which is as of the last ranking. Stages: registers, active lists, edges, then the rows that responses are read from.
 * `ids` has those of the cells of the change.
 */
export async function applyChange(tx: Transaction, change: Change, ids: Ids): Promise<void> {
  const keys = touchedCells(change);
  if (keys.length === 0) return;
  const reader = new CellReader(tx, change, ids);
  const touched = sortSubjects(new Set(keys.map(([subject]) => subject)));
  const registers = new RegisterRows(tx, ids);
  // Accounts named by records are nearly always needed later on.
  const [cells] = await settleAll([
    reader.readCells(keys),
    registers.lists.load(touched.lists),
    registers.slots.load(touched.slots),
    registers.accounts.load([...touched.accounts, ...keys.map(([, part]) => part).filter(isRecord)]),
  ]);
  await setRegisters(tx, ids, registers, touched, cells);
  await setListAccounts(tx, ids, registers, touched);
  await countMinted(registers, touched, cells);
  const records = foldTouched(cells);
  countListed(registers, records);

  const activities = await decideActivity(tx, ids, registers, touched, cells);
  const graphChange = await collectGraphChange(activities, records, reader);
  const { edges: changes, notificationsRemoved, notificationsAdded } = graphChange;
  await registers.assignIds();
  await ids.assign(tx, [...tagsIn(records, graphChange)].map(tagKey));
  // Before the reverse edges are read: those are the records after the change.
  await writeRecords(tx, ids, records);
  const relations = await readReverseEdges(tx, ids, registers, changes);
  changeCounts(registers, changes.values(), relations);

  // Concurrent, so that the database works while the next rows are built.
  const [, follows, grown] = await settleAll([
    writeNotifications(tx, ids, notificationsRemoved, notificationsAdded),
    writeEdgeRows(tx, ids, [...changes.values()], relations),
    registers.write(),
  ]);
  await tx.count({ ...grown, follows, graph_version: 1 });
}

/** Every tag that the rows of a change hold. */
function* tagsIn(records: readonly TouchedRecord[], { edges, notificationsAdded }: GraphChange): Generator<string> {
  for (const { before, after } of [...records, ...edges.values()]) {
    yield* before?.tags ?? [];
    yield* after?.tags ?? [];
  }
  for (const { op } of notificationsAdded) if (op.tag !== '') yield op.tag;
}

function changeCounts({ accounts }: RegisterRows, changes: Iterable<EdgeChange>, relations: Relations): void {
  const pairs = new Set<string>();
  for (const { source, target, before, after } of changes) {
    const sourceRow = accounts.after(source);
    const targetRow = accounts.after(target);
    for (const [edge, times] of [
      [before, -1],
      [after, 1],
    ] as const) {
      const counts = countsOfEdge(edge);
      addCounts(sourceRow, counts.source, times);
      addCounts(targetRow, counts.target, times);
    }
    // A pair counts once, even if both of its edges changed.
    if (pairs.has(target + source)) continue;
    pairs.add(source + target);
    const mutuals =
      mutualsOfPair(after?.relation ?? null, relations.after(target, source)) -
      mutualsOfPair(before?.relation ?? null, relations.before(target, source));
    sourceRow.mutuals += mutuals;
    targetRow.mutuals += mutuals;
  }
}
