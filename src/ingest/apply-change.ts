import { settleAll } from '../async/batches.ts';
import { addCounts, countsOfEdge, mutualsOfPair } from '../graph/counts.ts';
import type { Edge } from '../graph/fold-record.ts';
import { CellReader, type Change, isRecord, touchedCells } from '../rows/cells.ts';
import { makeDetails } from '../rows/details-rows.ts';
import { writeNotifications } from '../rows/notification-rows.ts';
import type { SubjectIds } from '../rows/stored-log.ts';
import type { Transaction } from '../store/store.ts';
import { accountsWithNewList, decideActivity } from './activity.ts';
import { writeFollowerRows } from './follower-rows.ts';
import { collectGraphChange, type EdgeChange } from './graph-change.ts';
import { setListAccounts } from './list-accounts.ts';
import { RegisterRows, setRegisters, sortSubjects } from './register-rows.ts';
import { type Edges, readReverseEdges } from './reverse-edges.ts';

/**
 * Brings every row that the change concerns to what a clean replay of the logs, as they stand now, would give.
 * `subjects` are those whose numbers are known already. Stages: registers, which lists are active, which edges that
 * changes, then the rows that answers are read from.
 */
export async function applyChange(tx: Transaction, change: Change, subjects?: SubjectIds): Promise<void> {
  const keys = touchedCells(change);
  if (keys.length === 0) return;
  const reader = new CellReader(tx, change, subjects);
  const touched = sortSubjects(new Set(keys.map(([subject]) => subject)));
  const registers = new RegisterRows(tx);
  // The accounts that records are about will be asked for too, nearly always.
  const [cells] = await settleAll([
    reader.readCells(keys),
    registers.lists.load(touched.lists),
    registers.slots.load(touched.slots),
    registers.accounts.load([...touched.accounts, ...keys.map(([, part]) => part).filter(isRecord)]),
  ]);
  setRegisters(registers, touched, cells);
  await setListAccounts(tx, registers, touched);

  const activities = await decideActivity(registers, touched, cells);
  const { edges: changes, noticesGone, noticesCome } = await collectGraphChange(activities, cells, reader);
  const edges = await readReverseEdges(registers, changes, reader);
  changeCounts(registers, changes.values(), edges);
  placeAtOnce(registers, changes.values());

  // All at once, so that the database has work while the next rows are made. Those who write notifications ask for
  // names first, and have their answer when the others are under way.
  const [, follows, grown] = await settleAll([
    writeNotifications(tx, noticesGone, noticesCome),
    writeFollowerRows(tx, changes.values(), edges, registers),
    registers.write(),
  ]);
  await makeDetails(tx, accountsWithNewList(activities));
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
    // A pair is looked at once, even when both of its edges changed.
    if (pairs.has(target + source)) continue;
    pairs.add(source + target);
    const mutuals =
      mutualsOfPair(relationOf(after), relationOf(edges.after(target, source))) -
      mutualsOfPair(relationOf(before), relationOf(edges.before(target, source)));
    sourceRow.mutuals += mutuals;
    targetRow.mutuals += mutuals;
  }
}

/** An account that followed nobody, or follows nobody now, has no edges but those of this change: they go where it belongs. */
function placeAtOnce({ accounts }: RegisterRows, changes: Iterable<EdgeChange>): void {
  for (const { source, target } of changes) {
    for (const account of [source, target]) {
      const row = accounts.after(account);
      if (accounts.before(account).following === 0 || row.following === 0) row.popularity = row.followers;
    }
  }
}
