import type { Edge } from '../graph/fold-record.ts';
import { edgeOfRecord } from '../rows/record-rows.ts';
import type { SubjectIds } from '../rows/stored-log.ts';
import type { Transaction } from '../store/store.ts';
import { type EdgeChange, edgeKey } from './graph-change.ts';
import type { RegisterRows } from './register-rows.ts';

/** Edges before and after the change, including unchanged reverse edges. */
export interface Edges {
  before(source: string, target: string): Edge | null;
  after(source: string, target: string): Edge | null;
}

/** Reads the reverse edges of changed edges: rows of edges contain them, and mutuals are counted from them. */
export async function readReverseEdges(
  tx: Transaction,
  subjects: SubjectIds,
  registers: RegisterRows,
  changes: ReadonlyMap<string, EdgeChange>,
): Promise<Edges> {
  await registers.accounts.load([...changes.values()].map((change) => change.target));
  const missing: { key: string; slot: string; record: string }[] = [];
  for (const { source, target } of changes.values()) {
    const key = edgeKey(target, source);
    const slot = registers.accounts.after(target).active_slot;
    if (slot !== null && !changes.has(key)) missing.push({ key, slot, record: source });
  }
  const unchanged = await readRecords(tx, subjects, missing);
  const edge = (time: 'before' | 'after') => (source: string, target: string) => {
    const key = edgeKey(source, target);
    const change = changes.get(key);
    return change === undefined ? (unchanged.get(key) ?? null) : change[time];
  };
  return { before: edge('before'), after: edge('after') };
}

async function readRecords(
  tx: Transaction,
  subjects: SubjectIds,
  wanted: readonly { key: string; slot: string; record: string }[],
): Promise<ReadonlyMap<string, Edge>> {
  const slots = wanted.map(({ slot }) => slot);
  const ids = await subjects.idsOf(tx, slots);
  const keys = new Map(wanted.map(({ key, record }, i) => [`${ids[i]} ${record}`, key]));
  const rows = await tx.read(
    'records',
    ['slot', 'address'],
    wanted.map(({ record }, i) => [ids[i], record]),
  );
  return new Map(rows.map((row) => [keys.get(`${row.slot} ${row.address}`) ?? '', edgeOfRecord(row)]));
}
