import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { GRAPH_COUNTS } from '../../src/store/state-keys.ts';

/** Rows and a digest of each table that is a function of logs, profiles and badges. */
export type Digests = Readonly<Record<string, string>>;

/** Keys that rows refer to by id. */
const address = (id: string) => `(select address from accounts where id = ${id})`;
const slot = (id: string) => `(select key from slots where id = ${id})`;
const list = (id: string) => `(select token_id from lists where id = ${id})`;
const tag = (id: string) => `(select tag from tags where id = ${id})`;
const COUNTS = 'followers, following, mutuals, blocks, top8';

/** Ids depend on the order of insertion, so the keys that they stand for are read instead. */
const SELECTS: Readonly<Record<string, string>> = {
  logs: `select chain_id, block_number, log_index, block_time, opcode, payload,
    coalesce(${slot('subject')}, ${list('subject')}, ${address('subject')}),
    case when part > 0 then ${address('part')} else part end from logs order by 1, 2, 3`,
  // Rows without any log have only an id: which of them exist depends on what was indexed and removed.
  lists: `select token_id, ${address('owner')}, ${slot('slot')}, ${address('account')} from lists
    where owner is not null or slot is not null order by 1`,
  slots: `select key, ${address('"user"')}, ${address('manager')} from slots
    where "user" is not null or manager is not null order by 1`,
  accounts: `select address, ${list('primary_list')}, active_list, ${slot('active_slot')}, ${COUNTS}, listed, minted
    from accounts where primary_list is not null or listed > 0 or minted > 0 order by 1`,
  records: `select ${slot('slot')}, time, ${address('account')}, hex(address_key), relation, tagged from records order by 1, 2, 3`,
  record_tags: `select ${slot('slot')}, ${address('account')}, ${tag('tag')} from record_tags order by 1, 2, 3`,
  edges: `select ${address('target')}, time, ${address('source')}, hex(address_key), relation, back, popularity, tagged
    from edges order by 1, 2, 3`,
  edge_tags: `select ${address('target')}, ${tag('tag')}, time, ${address('source')}, hex(address_key), relation, back, popularity
    from edge_tags order by 1, 2, 3, 4`,
  notifications: `select ${address('target')}, time, chain_id, block_number, log_index, ${address('source')}, opcode,
    ${tag('tag')} from notifications order by 1, 2, 3, 4, 5`,
  leaderboard: `select ${address('account')}, hex(address_key), ${COUNTS} from leaderboard order by 1`,
  ...Object.fromEntries(
    Object.entries({
      blocks: 'chain_id, number',
      chains: 'chain_id',
      ranks: 'measure, count',
      profiles: 'address',
      badges: 'address, event_id',
    }).map(([table, key]) => [table, `select * from ${table} order by ${key}`]),
  ),
  cursors: 'select chain_id, number, hash from cursors order by chain_id',
  // Row ids end with the id of the account: what precedes it is the order of the leaderboard.
  'search index': 'select id / 134217728 from leaderboard_grams_docsize order by 1',
  counts: `select key, value from state where key in (${[...GRAPH_COUNTS, 'unfolded_logs'].map((key) => `'${key}'`).join(', ')})
    and value <> 0 order by key`,
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
