import { settleAll } from '../../async/settle-all.ts';
import { rankAll } from '../../ranks/update-ranks.ts';
import {
  blankAccount,
  type Ids,
  listKey,
  type NewRows,
  tagOf,
  tokenIdOf,
  unsetList,
  unsetSlot,
} from '../../rows/ids.ts';
import type { Row, TableName } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import { isUsed, listRow, slotRow } from '../register-rows.ts';
import { type CollectedLogs, collectStoredLogs } from './collected-logs.ts';
import { createRowInputs, foldGraph, foldRegisters, type Graph, type RegisterState } from './fold-graph.ts';
import { groupBy } from './numbers.ts';
import { writeAllEdges, writeAllNotifications, writeAllRecords } from './write-rows.ts';

/** Rebuilds the graph from the stored logs, and ranks. Returns the new members of the leaderboard. */
export async function rebuildGraph(
  tx: Transaction,
  now: number,
  onProgress: (logs: number) => void = () => undefined,
): Promise<string[]> {
  const { collected, ids } = await collectStoredLogs(tx, onProgress);
  return makeGraph(tx, now, collected, ids);
}

/**
 * Bulk fold: replaces the graph by that of all logs. Registers are folded first, then every slot once, with its records
 * in memory, and the rows are written in key order. Much faster than applying changes, and tests compare the rows.
 * The ranking is part of it, because edge rows are written with the follower counts that it puts on the leaderboard.
 */
export async function makeGraph(tx: Transaction, now: number, collected: CollectedLogs, ids: Ids): Promise<string[]> {
  const registers = foldRegisters(collected, ids);
  const inputs = createRowInputs(collected, ids, registers);
  // Notifications depend on the ops alone, so they are written while the slots are being folded.
  const [, { follows, graph }] = await settleAll([
    fillTables(tx, ['notifications'], () => writeAllNotifications(tx, inputs)),
    fillTables(tx, ['records', 'record_tags', 'edges', 'edge_tags'], async () => {
      const graph = await foldGraph(inputs);
      const bySlot = groupBy(graph.records.slot, ids.end);
      await writeAllRecords(tx, inputs, graph, bySlot);
      return { graph, follows: await writeAllEdges(tx, inputs, graph, bySlot) };
    }),
  ]);
  const rows = entityRows(ids, registers, graph);
  await fillTables(tx, ['lists', 'slots', 'accounts', 'tags'], () => ids.insert(tx, rows));
  const { accounts, lists } = rows;
  await fillTables(tx, ['minters'], () => tx.insert('minters', mintersOf(lists)));
  await tx.upsert('state', [
    { key: 'lists', value: lists.filter(({ owner }) => owner !== null).length },
    { key: 'logs', value: collected.logs },
    { key: 'ignored_ops', value: collected.ignoredOps },
    { key: 'list_ops', value: collected.ops.slot.length },
    { key: 'accounts', value: accounts.filter(isUsed).length },
    { key: 'listed_accounts', value: accounts.filter(({ listed }) => listed > 0).length },
    { key: 'minted_accounts', value: accounts.filter(({ minted }) => minted > 0).length },
    { key: 'follows', value: follows },
    { key: 'unfolded_logs', value: 0 },
  ]);
  await tx.count({ graph_version: 1 });
  return rankAll(tx, now);
}

/** Empties computed tables and fills them again, with their indexes created last. */
function fillTables<T>(tx: Transaction, tables: readonly TableName[], fill: () => Promise<T>): Promise<T> {
  return tx.withoutIndexes(tables, async () => {
    for (const table of tables) await tx.execute((db) => db.deleteFrom(table));
    return fill();
  });
}

/** The greatest list of each account. Token ids are decimal numbers without leading zeros: the longer one is greater. */
function mintersOf(lists: readonly Row<'lists'>[]): Row<'minters'>[] {
  const greatest = new Map<number, string>();
  for (const { account, token_id } of lists) {
    if (account === null) continue;
    const known = greatest.get(account) ?? '';
    if (token_id.length > known.length || (token_id.length === known.length && token_id > known))
      greatest.set(account, token_id);
  }
  return Array.from(greatest, ([account, token_id]) => ({ account, token_id }));
}

/** The rows of everything that has an id, ascending by id. */
function entityRows(ids: Ids, { accounts, lists, slots }: RegisterState, { counts }: Graph): NewRows {
  const rows: NewRows = { accounts: [], lists: [], slots: [], tags: [] };
  for (const [id, key] of [...ids.entries()].sort(([a], [b]) => a - b)) {
    if (key.startsWith('0x')) {
      const row = { ...blankAccount(id, key), ...counts[id] };
      // Safe: the key of an account is its address.
      const named = accounts.get(key as `0x${string}`);
      if (named !== undefined) {
        row.primary_list = named.primaryList === null ? null : ids.requireId(listKey(named.primaryList));
        row.active_list = named.active?.list ?? null;
        row.active_slot = ids.idOrNull(named.active?.slot ?? null);
      }
      rows.accounts.push(row);
    } else if (key.startsWith('list/')) {
      rows.lists.push(listRow(ids, lists.get(tokenIdOf(key)) ?? unsetList(tokenIdOf(key))));
    } else if (key.startsWith('tag/')) {
      rows.tags.push({ id, tag: tagOf(key) });
    } else {
      rows.slots.push(slotRow(ids, slots.get(key) ?? unsetSlot(key)));
    }
  }
  return rows;
}
