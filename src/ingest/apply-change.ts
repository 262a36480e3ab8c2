import { settleAll } from '../async/batches.ts';
import { addCounts, countsOfEdge, mutualsOfPair } from '../graph/counts.ts';
import type { Edge } from '../graph/fold-record.ts';
import { CellReader, type Change, isRecord, touchedCells } from '../rows/cells.ts';
import { rewriteDetails } from '../rows/details-rows.ts';
import { writeNotifications } from '../rows/notification-rows.ts';
import { SubjectIds } from '../rows/stored-log.ts';
import type { Transaction } from '../store/store.ts';
import { accountsWithNewList, decideActivity } from './activity.ts';
import { readKnown, writeEdgeRows } from './edge-rows.ts';
import { collectGraphChange, type EdgeChange } from './graph-change.ts';
import { setListAccounts } from './list-accounts.ts';
import { countMinted, RegisterRows, setRegisters, sortSubjects } from './register-rows.ts';
import { type Edges, readReverseEdges } from './reverse-edges.ts';
import { countListed, foldTouched, writeRecords } from './touched-records.ts';

/**
 * Updates every row that the change affects to what a clean replay of the current logs would give, except `popularity`,
 * which is as of the last ranking. Stages: registers, active lists, edges, then the rows that responses are read from.
 * `subjects` are the ids that are known already.
 */
export async function applyChange(tx: Transaction, change: Change, subjects = new SubjectIds()): Promise<void> {
  const keys = touchedCells(change);
  if (keys.length === 0) return;
  const reader = new CellReader(tx, change, subjects);
  const touched = sortSubjects(new Set(keys.map(([subject]) => subject)));
  const registers = new RegisterRows(tx);
  // Accounts named by records are nearly always needed later on.
  const [cells] = await settleAll([
    reader.readCells(keys),
    registers.lists.load(touched.lists),
    registers.slots.load(touched.slots),
    registers.accounts.load([...touched.accounts, ...keys.map(([, part]) => part).filter(isRecord)]),
  ]);
  setRegisters(registers, touched, cells);
  await setListAccounts(tx, registers, touched);
  await countMinted(registers, touched, cells);
  const records = foldTouched(cells);
  countListed(registers, records);

  const activities = await decideActivity(registers, touched, cells);
  const {
    edges: changes,
    notificationsRemoved,
    notificationsAdded,
  } = await collectGraphChange(activities, records, reader);
  // Before the reverse edges are read: those are the records after the change.
  await writeRecords(tx, subjects, records);
  const [edges, known] = await settleAll([
    readReverseEdges(tx, subjects, registers, changes),
    readKnown(tx, changes.values()),
  ]);
  changeCounts(registers, changes.values(), edges);

  // Concurrent, so that the database works while the next rows are built. Notifications go first: they read profiles,
  // and the other writes are built while they wait.
  const [, follows, grown] = await settleAll([
    writeNotifications(tx, notificationsRemoved, notificationsAdded),
    writeEdgeRows(tx, changes.values(), { edges, registers, known }),
    registers.write(),
  ]);
  await rewriteDetails(tx, accountsWithNewList(activities));
  await settleAll([tx.count({ ...grown, follows, graph_version: 1 }), tx.raiseVersion()]);
}

const relationOf = (edge: Edge | null) => edge?.relation ?? null;

function changeCounts({ accounts }: RegisterRows, changes: Iterable<EdgeChange>, edges: Edges): void {
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
      mutualsOfPair(relationOf(after), relationOf(edges.after(target, source))) -
      mutualsOfPair(relationOf(before), relationOf(edges.before(target, source)));
    sourceRow.mutuals += mutuals;
    targetRow.mutuals += mutuals;
  }
}
