import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import { SubjectIds } from './stored-log.ts';

/** Accounts per round. Bounds the edges in memory: one account may follow thousands. */
const ROUND = 500;

/** New values for what edge rows repeat of the account that they come from. */
export type EdgePatch = Pick<Row<'accounts'>, 'address' | 'active_slot'> & Partial<Pick<Row<'edges'>, PatchedColumn>>;
type PatchedColumn = 'popularity' | 'name';

/**
 * Writes a column of all edges of some accounts. Edges are keyed by target, so the targets are read from the records of
 * the account's active slot.
 */
export async function patchEdges(
  tx: Transaction,
  column: PatchedColumn,
  accounts: readonly EdgePatch[],
): Promise<void> {
  for (let start = 0; start < accounts.length; start += ROUND) {
    await patchRound(tx, column, accounts.slice(start, start + ROUND));
  }
}

async function patchRound(tx: Transaction, column: PatchedColumn, accounts: readonly EdgePatch[]): Promise<void> {
  const edges: Partial<Row<'edges'>>[] = [];
  const tags: Partial<Row<'edge_tags'>>[] = [];
  for (const { account, record } of await readRecords(tx, accounts)) {
    const edge = { ...account, target: record.address, time: record.time };
    edges.push(edge);
    if (column !== 'popularity') continue;
    // Safe: the column holds a JSON array of strings.
    for (const tag of JSON.parse(record.tags) as string[]) tags.push({ ...edge, tag });
  }
  await tx.patch('edges', [column], edges);
  await tx.patch('edge_tags', ['popularity'], tags);
}

async function readRecords(
  tx: Transaction,
  accounts: readonly EdgePatch[],
): Promise<{ account: EdgePatch; record: Row<'records'> }[]> {
  const active = accounts.flatMap((account) =>
    account.active_slot === null ? [] : [{ account, slot: account.active_slot }],
  );
  const slots = active.map(({ slot }) => slot);
  const ids = await new SubjectIds().idsOf(tx, slots);
  const accountOf = new Map(active.map(({ account }, i) => [ids[i], account]));
  const records = await tx.read(
    'records',
    ['slot'],
    ids.map((id) => [id]),
  );
  return records.flatMap((record) => {
    const account = accountOf.get(record.slot);
    // A record of the account itself is no edge.
    return account === undefined || account.address === record.address ? [] : [{ account, record }];
  });
}
