import { settleAll } from '../../async/batches.ts';
import { computeRanks } from '../../ranks/compute-ranks.ts';
import { rewriteDetails } from '../../rows/details-rows.ts';
import type { SubjectIds } from '../../rows/stored-log.ts';
import type { Row, TableName } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import { blankAccount } from '../register-rows.ts';
import { sameRow } from '../row-diff.ts';
import { findActiveSlots } from './active-slots.ts';
import { orderByAddress } from './address-order.ts';
import { collectStoredLogs } from './collect-logs.ts';
import type { CollectedLogs } from './collected-logs.ts';
import { foldGraph, type Graph } from './fold-graph.ts';
import { foldRegisters, type RegisterState, rowOf } from './fold-registers.ts';
import { groupBy } from './numbers.ts';
import { writeAllEdges } from './write-edges.ts';
import { writeAllNotifications } from './write-notifications.ts';
import { writeAllRecords } from './write-records.ts';

/** Rebuilds the graph from the stored logs, and ranks. Returns the new members of the leaderboard. */
export async function rebuildGraph(
  tx: Transaction,
  now: number,
  onProgress: (logs: number) => void = () => undefined,
): Promise<string[]> {
  const { collected, subjects } = await collectStoredLogs(tx, onProgress);
  return makeGraph(tx, now, collected, subjects);
}

/**
 * Bulk fold: replaces the graph by that of all logs. Registers are folded first, then every slot once, with its records
 * in memory, and the rows are written in key order. Much faster than applying changes, and tests compare the rows.
 * The ranking is part of it, because edge rows are written with the follower counts that it puts on the leaderboard.
 */
export async function makeGraph(
  tx: Transaction,
  now: number,
  collected: CollectedLogs,
  subjects: SubjectIds,
): Promise<string[]> {
  const registers = foldRegisters(collected, subjects);
  const active = findActiveSlots(collected, subjects, registers);
  const { addresses } = collected;
  const order = orderByAddress(addresses);
  const rows = await tx.query((db) => db.selectFrom('profiles').select(['address', 'name', 'avatar']));
  const profiles = new Map(rows.map((profile) => [profile.address, profile]));
  // Notifications depend on the ops alone, so they are written while the slots are being folded.
  const [, { follows, graph }] = await settleAll([
    fillTables(tx, ['notifications'], () =>
      writeAllNotifications(tx, collected, active, subjects, order.sorted, profiles),
    ),
    fillTables(tx, ['records', 'edges', 'edge_tags'], async () => {
      const graph = await foldGraph(collected, active);
      const bySlot = groupBy(graph.records.slot, subjects.end);
      await writeAllRecords(tx, addresses, graph, bySlot, order);
      return { graph, follows: await writeAllEdges(tx, { addresses, active, graph, bySlot, order, profiles }) };
    }),
  ]);
  const lists = [...registers.lists.values()].filter(({ owner, slot }) => owner !== null || slot !== null);
  const slots = [...registers.slots.values()].filter(({ user, manager }) => user !== null || manager !== null);
  const accounts = accountRows(registers, collected, graph);
  await fillTables(tx, ['lists', 'slots', 'accounts'], async () => {
    await tx.insert('lists', lists.sort(byKey('token_id')));
    await tx.insert('slots', slots.sort(byKey('key')));
    await tx.insert('accounts', accounts.sort(byKey('address')));
  });
  await rewriteDetails(tx, 'all');
  await tx.upsert('state', [
    { key: 'lists', value: lists.filter(({ owner }) => owner !== null).length },
    { key: 'list_ops', value: collected.ops.slot.length },
    { key: 'accounts', value: accounts.length },
    { key: 'listed_accounts', value: accounts.filter(({ listed }) => listed > 0).length },
    { key: 'minted_accounts', value: accounts.filter(({ minted }) => minted > 0).length },
    { key: 'follows', value: follows },
    { key: 'unfolded_logs', value: 0 },
  ]);
  await tx.count({ graph_version: 1 });
  await tx.raiseVersion();
  return (await computeRanks(tx, now, { popularityIsWritten: true })) ?? [];
}

/** Empties computed tables and fills them again, with their indexes created last. */
function fillTables<T>(tx: Transaction, tables: readonly TableName[], fill: () => Promise<T>): Promise<T> {
  return tx.withoutIndexes(tables, async () => {
    for (const table of tables) await tx.execute((db) => db.deleteFrom(table));
    return fill();
  });
}

function accountRows({ accounts }: RegisterState, { addresses }: CollectedLogs, { counts }: Graph): Row<'accounts'>[] {
  const rows = new Map<string, Row<'accounts'>>();
  for (const [address, { primaryList, active }] of accounts) {
    const named = { primary_list: primaryList, active_list: active?.list ?? null, active_slot: active?.slot ?? null };
    Object.assign(rowOf(rows, address, blankAccount), named);
  }
  for (const [id, address] of addresses.entries()) {
    Object.assign(rowOf(rows, address, blankAccount), counts[id]);
  }
  return [...rows.values()].filter((row) => !sameRow(row, blankAccount(row.address)));
}

function byKey<R extends object>(key: keyof R): (a: R, b: R) => number {
  return (a, b) => (a[key] < b[key] ? -1 : 1);
}
