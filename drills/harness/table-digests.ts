import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';

/** Rows and a digest of each table that is a function of logs, profiles and badges. */
export type Digests = Readonly<Record<string, string>>;

/** Subject ids depend on the order of insertion, so their keys are read instead. */
const SELECTS: Readonly<Record<string, string>> = {
  logs: `select chain_id, block_number, log_index, subjects.key, part, block_time, payload
    from logs join subjects on subjects.id = logs.subject order by 1, 2, 3`,
  records: `select subjects.key, time, address, relation, tags
    from records join subjects on subjects.id = records.slot order by 1, 2, 3`,
  ...Object.fromEntries(
    Object.entries({
      blocks: 'chain_id, number',
      chains: 'chain_id',
      lists: 'token_id',
      slots: 'key',
      accounts: 'address',
      edges: 'target, time, address',
      edge_tags: 'target, tag, time, address',
      notifications: 'target, time, chain_id, block_number, log_index',
      leaderboard: 'place, address',
      ranks: 'measure, count',
      details: 'address',
      profiles: 'address',
      badges: 'address, event_id',
    }).map(([table, key]) => [table, `select * from ${table} order by ${key}`]),
  ),
  cursors: 'select chain_id, number, hash from cursors order by chain_id',
  'search index': 'select id from leaderboard_grams_docsize order by id',
  counts: `select key, value from state where key in ('logs', 'ignored_ops', 'list_ops', 'unfolded_logs', 'lists',
    'accounts', 'listed_accounts', 'minted_accounts', 'follows', 'ranked') and value <> 0 order by key`,
};

export function digestTables(path: string): Digests {
  const db = new Database(path);
  try {
    const entries = Object.entries(SELECTS).map(([table, sql]) => {
      const hash = createHash('sha256');
      let rows = 0;
      for (const row of db.prepare(sql).raw().iterate()) {
        hash.update(JSON.stringify(row));
        rows += 1;
      }
      return [table, `${rows} rows ${hash.digest('hex').slice(0, 16)}`];
    });
    return Object.fromEntries(entries);
  } finally {
    db.close();
  }
}

/** The tables that differ, with both values. */
export function differences(found: Digests, expected: Digests): string[] {
  return Object.keys(expected)
    .filter((table) => found[table] !== expected[table])
    .map((table) => `${table}: ${found[table]} instead of ${expected[table]}`);
}

export function readState(path: string): Readonly<Record<string, number>> {
  const db = new Database(path, { readonly: true });
  try {
    // Safe: these are the columns of the statement.
    const rows = db.prepare('select key, value from state').all() as { key: string; value: number }[];
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  } finally {
    db.close();
  }
}
