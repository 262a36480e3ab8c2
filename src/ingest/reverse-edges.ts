import { RELATIONS, type Relation } from '../graph/relation.ts';
import type { Ids } from '../rows/ids.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import { type EdgeChange, edgeKey } from './graph-change.ts';
import type { RegisterRows } from './register-rows.ts';

/** The relations of edges before and after the change, including those of unchanged reverse edges. */
export interface Relations {
  before(source: string, target: string): Relation | null;
  after(source: string, target: string): Relation | null;
  /** The record of the reverse edge of a changed one, if it has not changed itself. */
  unchanged(source: string, target: string): Row<'records'> | undefined;
}

/** Reads the reverse edges of changed edges: rows of edges hold their relation, and mutuals are counted from them. */
export async function readReverseEdges(
  tx: Transaction,
  ids: Ids,
  registers: RegisterRows,
  changes: ReadonlyMap<string, EdgeChange>,
): Promise<Relations> {
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
  const relation = (time: 'before' | 'after') => (source: string, target: string) => {
    const key = edgeKey(source, target);
    const change = changes.get(key);
    return change === undefined ? relationIn(unchanged.get(key)) : (change[time]?.relation ?? null);
  };
  return {
    before: relation('before'),
    after: relation('after'),
    unchanged: (source, target) => unchanged.get(edgeKey(source, target)),
  };
}

function relationIn(row: Row<'records'> | undefined): Relation | null {
  if (row === undefined) return null;
  const known = RELATIONS[row.relation];
  if (known === undefined) throw new Error(`the database has a record with relation ${row.relation}`);
  return known;
}
