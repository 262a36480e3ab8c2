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
import type { Dialect } from './dialect.ts';
import type { Tables } from './schema.ts';
import type { ReadBuilder, Store } from './store.ts';

class Param {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A named parameter of a prepared query. */
export function param<T>(name: string): RawBuilder<T> {
  return sql<T>`${new Param(name)}`;
}

/**
 * A named parameter for `limit` and `offset`. SQLite replans a statement whenever the parameter of a bare `limit ?` is
 * bound, which took a third of the time of a page of ten followers; an expression avoids that.
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

/** A query builder without a connection: Kysely compiles the queries, and the store prepares and runs them. */
export function createBuilder(engine: Store['engine']): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: dialects[engine] });
}

/** A query that every reader prepares once. Its parameters are bound by name, see `param`. */
export interface Statement<P extends object, R> {
  build(db: ReadBuilder, dialect: Dialect): Compilable<R>;
  /** The type of the parameters. A type only: never set. */
  readonly $params?: P;
}

export function statement<P extends object, R>(build: Statement<P, R>['build']): Statement<P, R> {
  return { build };
}

/** Statements that differ in something that cannot be a parameter, each created on first use. */
export function statements<K extends readonly (string | number | boolean)[], P extends object, R>(
  create: (...key: K) => Statement<P, R>,
): (...key: K) => Statement<P, R> {
  const created = new Map<string, Statement<P, R>>();
  return (...key) => {
    const name = key.join(' ');
    let known = created.get(name);
    if (known === undefined) created.set(name, (known = create(...key)));
    return known;
  };
}

export interface Compiled {
  readonly text: string;
  /** The values to bind, in the order of their placeholders. */
  bind(params: object): unknown[];
}

export function compile(query: Compilable<unknown>): Compiled {
  const { sql: text, parameters } = query.compile();
  return {
    text,
    bind: (params) => {
      // Safe: a missing name binds undefined, which the drivers reject or bind as null.
      const values = params as Record<string, unknown>;
      return parameters.map((p) => (p instanceof Param ? values[p.name] : p));
    },
  };
}
