import { COUNTED } from '../../graph/counts.ts';
import type { Row, TableName } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import { blankAccount } from '../registers.ts';
import { sameRow } from '../row-set.ts';
import type { Subjects } from '../stored-log.ts';
import { collectStoredLogs } from './collect-logs.ts';
import type { CollectedLogs } from './collected-logs.ts';
import { foldGraph, type Graph } from './fold-graph.ts';
import { foldRegisters, type RegisterState } from './fold-registers.ts';
import { writeGraph } from './write-graph.ts';

/** What is computed from the logs alone. */
const GRAPH_TABLES = [
  'lists',
  'slots',
  'accounts',
  'followers',
  'follower_tags',
  'notifications',
] as const satisfies TableName[];

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
export async function makeGraph(tx: Transaction, collected: CollectedLogs, subjects: Subjects): Promise<void> {
  const registers = foldRegisters(collected, subjects);
  const graph = foldGraph(collected, subjects, registers);
  const lists = [...registers.lists.values()].filter(({ owner, slot }) => owner !== null || slot !== null);
  const slots = [...registers.slots.values()].filter(({ user, manager }) => user !== null || manager !== null);
  const { follows, accounts } = await tx.withoutIndexes(GRAPH_TABLES, async () => {
    for (const table of GRAPH_TABLES) await tx.execute((db) => db.deleteFrom(table));
    const written = await writeGraph(tx, collected, graph, subjects);
    await tx.insert('lists', lists.sort(byKey('token_id')));
    await tx.insert('slots', slots.sort(byKey('key')));
    const rows = accountRows(registers, collected, graph).sort(byKey('address'));
    await tx.insert('accounts', rows);
    return { ...written, accounts: rows.length };
  });
  await tx.upsert('state', [
    { key: 'lists', value: lists.length },
    { key: 'accounts', value: accounts },
    { key: 'follows', value: follows },
    { key: 'unfolded_logs', value: 0 },
  ]);
  await tx.count({ graph_version: 1 });
  await tx.raiseVersion();
}

function accountRows({ accounts }: RegisterState, { addresses }: CollectedLogs, { counts }: Graph): Row<'accounts'>[] {
  const rows = new Map<string, Row<'accounts'>>();
  const rowOf = (address: string) => {
    let row = rows.get(address);
    if (row === undefined) rows.set(address, (row = blankAccount(address)));
    return row;
  };
  for (const [address, { primaryList, active }] of accounts) {
    const named = { primary_list: primaryList, active_list: active?.list ?? null, active_slot: active?.slot ?? null };
    Object.assign(rowOf(address), named);
  }
  for (const [id, address] of addresses.entries()) {
    const row = rowOf(address);
    for (const name of COUNTED) row[name] = counts[id]?.[name] ?? 0;
    row.popularity = row.followers;
  }
  return [...rows.values()].filter((row) => !sameRow(row, blankAccount(row.address)));
}

function byKey<R extends object>(key: keyof R): (a: R, b: R) => number {
  return (a, b) => (a[key] < b[key] ? -1 : 1);
}
