import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Tables } from './schema.ts';
import type { Store } from './store.ts';

class Param {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A place in a prepared query for the value called `name`. */
export function param<T>(name: string): RawBuilder<T> {
  return sql<T>`${new Param(name)}`;
}

/**
 * A place for a number of rows. SQLite plans a statement anew whenever a bare limit is bound, to look at its value; for
 * a page of ten followers that took a third of the time.
 */
export function rowCount(name: string): RawBuilder<number> {
  return sql<number>`(${new Param(name)} + 0)`;
}

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

/** A builder that can compile for `engine` but has no connection: queries run on our own, prepared once. */
export function createBuilder(engine: Store['engine']): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: dialects[engine] });
}

export interface Compiled {
  readonly text: string;
  /** The values to bind, in the order of the text. */
  bind(params: object): unknown[];
}

export function compile(query: Compilable<unknown>): Compiled {
  const { sql: text, parameters } = query.compile();
  return {
    text,
    bind: (params) => {
      // Safe: a missing name binds undefined, which both drivers refuse or read as null, never as SQL.
      const values = params as Record<string, unknown>;
      return parameters.map((p) => (p instanceof Param ? values[p.name] : p));
    },
  };
}
