import { SubjectIds } from '../rows/stored-log.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';

/** Accounts per round. Bounds the edges in memory: one account may follow thousands. */
const ROUND = 500;

/** An account whose follower count is not the one that its edges are sorted by. */
export type StaleAccount = Pick<Row<'accounts'>, 'address' | 'followers' | 'active_slot'>;

/**
 * Writes the new follower counts of accounts into the rows of their edges. Those are keyed by target, so the targets are
 * read from the records of the account's active slot.
 */
export async function patchPopularity(tx: Transaction, accounts: readonly StaleAccount[]): Promise<void> {
  for (let start = 0; start < accounts.length; start += ROUND) {
    await patchRound(tx, accounts.slice(start, start + ROUND));
  }
}

type EdgePatch = Pick<Row<'edges'>, 'target' | 'time' | 'address' | 'popularity'>;

async function patchRound(tx: Transaction, accounts: readonly StaleAccount[]): Promise<void> {
  const edges: EdgePatch[] = [];
  const tags: (EdgePatch & Pick<Row<'edge_tags'>, 'tag'>)[] = [];
  for (const { account, record } of await readEdges(tx, accounts)) {
    const patch = {
      target: record.address,
      time: record.time,
      address: account.address,
      popularity: account.followers,
    };
    edges.push(patch);
    // Safe: the column holds a JSON array of strings.
    for (const tag of JSON.parse(record.tags) as string[]) tags.push({ ...patch, tag });
  }
  await tx.patch('edges', ['popularity'], edges);
  await tx.patch('edge_tags', ['popularity'], tags);
}

async function readEdges(
  tx: Transaction,
  accounts: readonly StaleAccount[],
): Promise<{ account: StaleAccount; record: Row<'records'> }[]> {
  const subjects = new SubjectIds();
  const active = accounts.flatMap((account) =>
    account.active_slot === null ? [] : [[account.active_slot, account] as const],
  );
  await subjects.find(
    tx,
    active.map(([slot]) => slot),
  );
  const accountOf = new Map(active.map(([slot, account]) => [subjects.requireId(slot), account]));
  const records = await tx.read(
    'records',
    ['slot'],
    [...accountOf.keys()].map((id) => [id]),
  );
  return records.flatMap((record) => {
    const account = accountOf.get(record.slot);
    // A record of the account itself is no edge.
    return account === undefined || account.address === record.address ? [] : [{ account, record }];
  });
}
