import type { Row, TableName } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import { applyChange } from './apply-change.ts';
import { placeAccounts } from './place-accounts.ts';

/** What is computed from the logs alone. */
const GRAPH_TABLES = [
  'lists',
  'slots',
  'accounts',
  'followers',
  'follower_tags',
  'notifications',
] as const satisfies TableName[];

const CHUNK = 20_000;

/** Makes the graph again from the stored logs. `onProgress` hears how many logs have been folded. */
export async function rebuildGraph(tx: Transaction, onProgress: (logs: number) => void): Promise<void> {
  for (const table of GRAPH_TABLES) await tx.execute((db) => db.deleteFrom(table));
  await tx.upsert('state', [
    { key: 'lists', value: 0 },
    { key: 'accounts', value: 0 },
    { key: 'follows', value: 0 },
  ]);
  let folded = 0;
  for await (const added of readBySubject(tx)) {
    await applyChange(tx, { added, removed: [] });
    folded += added.length;
    onProgress(folded);
  }
  await placeAccounts(tx);
}

/** All logs in chunks that never divide a subject: its cells are then folded once and whole. */
async function* readBySubject(tx: Transaction): AsyncGenerator<Row<'logs'>[]> {
  for (let after = ''; ; ) {
    const rows = await tx.query((db) =>
      db.selectFrom('logs').selectAll().where('subject', '>', after).orderBy('subject').limit(CHUNK),
    );
    const last = rows.at(-1)?.subject;
    if (last === undefined) return;
    const whole = rows.length < CHUNK ? rows : rows.filter((row) => row.subject !== last);
    if (whole.length > 0) yield whole;
    else yield await tx.read('logs', ['subject'], [[last]]);
    after = whole.at(-1)?.subject ?? last;
  }
}
