import Database from 'better-sqlite3';
import pg from 'pg';
import type { Statement } from './record-statements.ts';

/** The tables that grow with the graph. The rest have a row per chain, or a dozen. */
const GROWING = new Set([
  'accounts',
  'badges',
  'details',
  'follower_tags',
  'followers',
  'leaderboard',
  'leaderboard_grams',
  'lists',
  'logs',
  'notifications',
  'profiles',
  'slots',
  'wanted_profiles',
]);

/** The index of the accounts that wait to be placed, which the indexer keeps few: reading and sorting them is no fault. */
const QUEUE = 'accounts_to_place';

/** Finds what statements do beside reading ranges of indexes in the order of the answer. */
export interface Explainer {
  faultsOf(statement: Statement): Promise<string[]>;
  close(): Promise<void>;
}

/** For the database that `url` names. */
export async function createExplainer(url: string): Promise<Explainer> {
  return url.startsWith('sqlite:') ? explainSqlite(url.slice('sqlite:'.length)) : explainPostgres(url);
}

function explainSqlite(path: string): Explainer {
  const db = new Database(path, { readonly: true });
  return {
    async faultsOf({ text, parameters }) {
      const values = Array.from({ length: parameters }, () => null);
      const steps = db.prepare<unknown[], SqliteStep>(`explain query plan ${text}`).all(values);
      return steps.filter((step) => isFault(step, steps)).map(({ detail }) => detail);
    },
    close: async () => void db.close(),
  };
}

interface SqliteStep {
  readonly parent: number;
  readonly detail: string;
}

function isFault({ parent, detail }: SqliteStep, steps: readonly SqliteStep[]): boolean {
  const isQueue = (step: SqliteStep) => step.detail.endsWith(`INDEX ${QUEUE}`);
  if (detail.includes('TEMP B-TREE')) {
    // What is sorted is what stands before it.
    const first = steps.find((step) => step.parent === parent);
    return first === undefined || !isQueue(first);
  }
  const scanned = /^SCAN (\w+)(?! VIRTUAL TABLE INDEX \d+:M)\b/.exec(detail)?.[1] ?? '';
  return GROWING.has(scanned) && !isQueue({ parent, detail });
}

interface Plan {
  readonly 'Node Type': string;
  readonly Strategy?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

/** Plans for any values: that is how a statement runs that has been put a few times. */
async function explainPostgres(url: string): Promise<Explainer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('analyze');
  await client.query('set plan_cache_mode = force_generic_plan');
  // As for the service's own connections.
  await client.query('set enable_seqscan = off');
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
  // An incremental sort puts only those in order that are alike so far.
  const gathers = /^Sort|Hash|Materialize/.test(type) || (type === 'Aggregate' && plan.Strategy === 'Hashed');
  if (gathers && children.some(isUnlimited)) faults.push(`${type} of all that there is`);
  const table = plan['Relation Name'] ?? '';
  if (GROWING.has(table) && plan['Index Cond'] === undefined && !type.startsWith('Bitmap Heap') && !isQueue(plan)) {
    faults.push(`${type} of ${table}`);
  }
  return faults;
}

/** Whether a plan reads from a growing table without being told to stop at some number of rows. */
function isUnlimited(plan: Plan): boolean {
  if (plan['Node Type'] === 'Limit' || isQueue(plan)) return false;
  if (GROWING.has(plan['Relation Name'] ?? '')) return true;
  return (plan.Plans ?? []).some(isUnlimited);
}

const isQueue = (plan: Plan) => plan['Index Name'] === QUEUE;
