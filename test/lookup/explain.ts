import Database from 'better-sqlite3';
import pg from 'pg';
import { LOOKUP_SETTINGS } from '../../src/store/postgres/reader.ts';
import type { Statement } from './record-statements.ts';

/** The tables that grow with the graph. The others have a row per chain, or a dozen. */
const GROWING = new Set([
  'accounts',
  'badges',
  'edge_tags',
  'edges',
  'leaderboard',
  'lists',
  'logs',
  'notifications',
  'profiles',
  'record_tags',
  'records',
  'slots',
  'tags',
  'wanted_profiles',
]);

/**
 * Reports what a statement does besides reading index ranges in the order of the response, and sorting the tags of one
 * record. It parses the text of EXPLAIN,
 * so it depends on the versions of SQLite and PostgreSQL that the tests run on.
 */
export interface Explainer {
  faultsOf(statement: Statement): Promise<string[]>;
  close(): Promise<void>;
}

/** For the database at `url`. */
export async function createExplainer(url: string): Promise<Explainer> {
  return url.startsWith('sqlite:') ? explainSqlite(url.slice('sqlite:'.length)) : explainPostgres(url);
}

function explainSqlite(path: string): Explainer {
  const db = new Database(path, { readonly: true });
  return {
    async faultsOf({ text, parameters }) {
      const values = Array.from({ length: parameters }, () => null);
      const steps = db.prepare<unknown[], SqliteStep>(`explain query plan ${text}`).all(values);
      const growing = withAliases(text);
      const ofRecord = new Set<number>();
      const faults: string[] = [];
      for (const { id, parent, detail } of steps) {
        if (detail === 'CO-ROUTINE shown_tags' || ofRecord.has(parent)) ofRecord.add(id);
        const sortsTags = ofRecord.has(id) && detail.endsWith('TEMP B-TREE FOR ORDER BY');
        if (isFault(detail, growing) && !sortsTags) faults.push(detail);
      }
      return faults;
    },
    close: async () => void db.close(),
  };
}

interface SqliteStep {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

/** The growing tables and the names that a statement gives them: SQLite reports a scan by that name. */
function withAliases(text: string): ReadonlySet<string> {
  const growing = new Set(GROWING);
  for (const [, table = '', alias = ''] of text.matchAll(/\b(\w+)"? as "?(\w+)/g)) {
    if (GROWING.has(table)) growing.add(alias);
  }
  return growing;
}

function isFault(detail: string, growing: ReadonlySet<string>): boolean {
  if (detail.includes('TEMP B-TREE')) return true;
  const scanned = /^SCAN (\w+)(?! VIRTUAL TABLE INDEX \d+:M)\b/.exec(detail)?.[1] ?? '';
  return growing.has(scanned);
}

interface Plan {
  readonly 'Node Type': string;
  readonly Strategy?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

/** Generic plans: PostgreSQL uses them for a prepared statement after a few executions. */
async function explainPostgres(url: string): Promise<Explainer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('analyze');
  for (const [setting, value] of Object.entries(LOOKUP_SETTINGS)) await client.query(`set ${setting} = ${value}`);
  return {
    async faultsOf({ text, parameters }) {
      const values = parameters === 0 ? '' : `(${Array.from({ length: parameters }, () => 'null').join(', ')})`;
      await client.query(`prepare explained as ${text}`);
      try {
        const { rows } = await client.query(`explain (format json) execute explained${values}`);
        return faultsOfPlan(rows[0]['QUERY PLAN'][0].Plan);
      } finally {
        await client.query('deallocate explained');
      }
    },
    close: () => client.end(),
  };
}

function faultsOfPlan(plan: Plan): string[] {
  const type = plan['Node Type'];
  const children = plan.Plans ?? [];
  const faults = children.flatMap(faultsOfPlan);
  const gathers = /Sort$|Hash|Materialize/.test(type) || (type === 'Aggregate' && plan.Strategy === 'Hashed');
  if (gathers && children.some(isUnlimited) && !readsOneRecord(plan)) faults.push(`${type} of all rows`);
  const table = plan['Relation Name'] ?? '';
  if (GROWING.has(table) && plan['Index Cond'] === undefined && !type.startsWith('Bitmap Heap')) {
    faults.push(`${type} of ${table}`);
  }
  return faults;
}

/** Whether a plan reads nothing but the tags of one record, which are sorted to show the first ones. */
function readsOneRecord({ 'Relation Name': table, 'Index Cond': condition = '', Plans = [] }: Plan): boolean {
  if (table === 'record_tags') return /^\(\(slot = .*\) AND \(account = [^)]*\)\)$/.test(condition);
  return table === undefined ? Plans.length > 0 && Plans.every(readsOneRecord) : table === 'tags';
}

/** Whether a plan reads from a growing table without a limit. */
function isUnlimited(plan: Plan): boolean {
  if (plan['Node Type'] === 'Limit') return false;
  if (GROWING.has(plan['Relation Name'] ?? '')) return true;
  return (plan.Plans ?? []).some(isUnlimited);
}
