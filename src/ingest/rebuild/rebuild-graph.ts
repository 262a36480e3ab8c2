import { settleAll } from '../../async/batches.ts';
import { COUNTED } from '../../graph/counts.ts';
import { makeDetails } from '../../rows/details-rows.ts';
import type { SubjectIds } from '../../rows/stored-log.ts';
import type { Row, TableName } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import { blankAccount } from '../register-rows.ts';
import { sameRow } from '../row-diff.ts';
import { findActiveSlots } from './active-slots.ts';
import { collectStoredLogs } from './collect-logs.ts';
import type { CollectedLogs } from './collected-logs.ts';
import { foldGraph, type Graph } from './fold-graph.ts';
import { foldRegisters, type RegisterState, rowOf } from './fold-registers.ts';
import { writeAllFollowers } from './write-followers.ts';
import { writeAllNotifications } from './write-notifications.ts';

/** Makes the graph from the stored logs, all at once. `onProgress` hears how many of them have been read. */
export async function rebuildGraph(tx: Transaction, onProgress: (logs: number) => void): Promise<void> {
  const { collected, subjects } = await collectStoredLogs(tx, onProgress);
  await makeGraph(tx, collected, subjects);
}

/**
 * Makes the graph from all logs: registers first, then every active slot is folded once and its edges are kept in
 * memory, then the rows are written in the order of their keys. For bulk: many times quicker than applying changes,
 * and held to the same rows by the tests.
 */
export async function makeGraph(tx: Transaction, collected: CollectedLogs, subjects: SubjectIds): Promise<void> {
  const registers = foldRegisters(collected, subjects);
  const active = findActiveSlots(collected, subjects, registers);
  const byAddress = sortAccounts(collected.addresses);
  // What accounts received is told by the ops alone: it is written while the edges are still being folded.
  const [, { follows, graph }] = await settleAll([
    fillTables(tx, ['notifications'], () => writeAllNotifications(tx, collected, active, subjects, byAddress)),
    fillTables(tx, ['followers', 'follower_tags'], async () => {
      const graph = await foldGraph(collected, active);
      return { graph, follows: await writeAllFollowers(tx, collected, active, graph, byAddress) };
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
  await makeDetails(tx, 'all');
  await tx.upsert('state', [
    { key: 'lists', value: lists.length },
    { key: 'accounts', value: accounts.length },
    { key: 'follows', value: follows },
    { key: 'unfolded_logs', value: 0 },
  ]);
  await tx.count({ graph_version: 1 });
  await tx.raiseVersion();
}

/** Empties tables that are computed from the logs alone, and has them filled anew, with the indexes made last. */
function fillTables<T>(tx: Transaction, tables: readonly TableName[], fill: () => Promise<T>): Promise<T> {
  return tx.withoutIndexes(tables, async () => {
    for (const table of tables) await tx.execute((db) => db.deleteFrom(table));
    return fill();
  });
}

/** The numbers of accounts in the order of their addresses. */
function sortAccounts(addresses: readonly string[]): Int32Array {
  const order = Int32Array.from(addresses.keys());
  // Safe: the numbers are those of the addresses.
  return order.sort((a, b) => ((addresses[a] as string) < (addresses[b] as string) ? -1 : 1));
}

function accountRows({ accounts }: RegisterState, { addresses }: CollectedLogs, { counts }: Graph): Row<'accounts'>[] {
  const rows = new Map<string, Row<'accounts'>>();
  for (const [address, { primaryList, active }] of accounts) {
    const named = { primary_list: primaryList, active_list: active?.list ?? null, active_slot: active?.slot ?? null };
    Object.assign(rowOf(rows, address, blankAccount), named);
  }
  for (const [id, address] of addresses.entries()) {
    const row = rowOf(rows, address, blankAccount);
    for (const name of COUNTED) row[name] = counts[id]?.[name] ?? 0;
    row.popularity = row.followers;
  }
  return [...rows.values()].filter((row) => !sameRow(row, blankAccount(row.address)));
}

function byKey<R extends object>(key: keyof R): (a: R, b: R) => number {
  return (a, b) => (a[key] < b[key] ? -1 : 1);
}
