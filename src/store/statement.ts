import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { ReadBuilder } from './query-builder.ts';

/** A query that every reader prepares once. Its parameters are bound by name, see `param`. */
export interface Statement<P extends object, R> {
  build(db: ReadBuilder, dialect: Dialect): Compilable<R>;
  /** The type of the parameters. A type only: never set. */
  readonly $params?: P;
}

export function statement<P extends object, R>(build: Statement<P, R>['build']): Statement<P, R> {
  return { build };
}

/** The rows of a query that is written in SQL. `R` must have its columns. */
export function selectRows<R>(db: ReadBuilder, query: RawBuilder<unknown>): Compilable<R> {
  return db.selectFrom(sql`(${query})`.as('found')).selectAll() as unknown as Compilable<R>;
}

/** Statements that differ in something that cannot be a parameter, each created on first use. */
export function statements<K extends readonly (string | number | boolean)[], S extends object>(
  create: (...key: K) => S,
): (...key: K) => S {
  const created = new Map<string, S>();
  return (...key) => {
    const name = key.join(' ');
    let known = created.get(name);
    if (known === undefined) created.set(name, (known = create(...key)));
    return known;
  };
}
