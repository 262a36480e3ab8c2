import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import type { Tables } from './schema.ts';

/** The query builder of readers: it can only select. */
export type ReadBuilder = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'with'>;
/** The query builder for statements in a write transaction. */
export type WriteBuilder = Pick<Kysely<Tables>, 'insertInto' | 'updateTable' | 'deleteFrom'>;

/** The builders have no connection: Kysely compiles the queries, and the store prepares and runs them. */
const connect = () => Promise.reject(new Error('a query builder has no connection'));

export const sqliteBuilder = new Kysely<Tables>({ dialect: new SqliteDialect({ database: connect }) });
export const postgresBuilder = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connect }) });
