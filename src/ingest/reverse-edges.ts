import { type Edge, foldRecord } from '../graph/fold-record.ts';
import { type CellReader, datedOps } from '../rows/cells.ts';
import { type EdgeChange, edgeKey } from './graph-change.ts';
import type { RegisterRows } from './register-rows.ts';

/** Edges before and after the change, including unchanged reverse edges. */
export interface Edges {
  before(source: string, target: string): Edge | null;
  after(source: string, target: string): Edge | null;
}

/** Reads the reverse edges of changed edges: rows of followers contain them, and mutuals are counted from them. */
export async function readReverseEdges(
  registers: RegisterRows,
  changes: ReadonlyMap<string, EdgeChange>,
  reader: CellReader,
): Promise<Edges> {
  await registers.accounts.load([...changes.values()].map((change) => change.target));
  const keys: [slot: string, record: string][] = [];
  const missingEdges: { key: string; slot: string; record: string }[] = [];
  for (const { source, target } of changes.values()) {
    const key = edgeKey(target, source);
    const slot = registers.accounts.after(target).active_slot;
    if (slot === null || changes.has(key)) continue;
    keys.push([slot, source]);
    missingEdges.push({ key, slot, record: source });
  }
  const cells = await reader.readCells(keys);
  const unchanged = new Map<string, Edge | null>();
  for (const { key, slot, record } of missingEdges) {
    const logs = cells.get(slot)?.get(record) ?? [];
    unchanged.set(key, foldRecord(datedOps(logs.filter((log) => log.after))));
  }
  const edge = (time: 'before' | 'after') => (source: string, target: string) => {
    const key = edgeKey(source, target);
    const change = changes.get(key);
    return change === undefined ? (unchanged.get(key) ?? null) : change[time];
  };
  return { before: edge('before'), after: edge('after') };
}
