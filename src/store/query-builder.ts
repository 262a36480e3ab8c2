import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Tables } from './schema.ts';

/** The query builder of readers: it can only select. */
export type ReadBuilder = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'with'>;
/** The query builder for statements in a write transaction. */
export type WriteBuilder = Pick<Kysely<Tables>, 'insertInto' | 'updateTable' | 'deleteFrom'>;

const dialects = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
};

export type EngineName = keyof typeof dialects;

/** A query builder without a connection: Kysely compiles the queries, and the store prepares and runs them. */
export function createBuilder(engine: EngineName): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: dialects[engine] });
}
