import { type Kysely, sql } from 'kysely';

export async function executeAll(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** See `finishMigration`. */
const LOGS = `(select value from state where key = 'logs')`;
export const MARK_FOR_REBUILD = [
  `update state set value = ${LOGS} where key = 'unfolded_logs'`,
  `update state set value = -1 where key = 'ranks_graph_version' and ${LOGS} > 0`,
];
