import { type CompiledQuery, type Expression, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Address } from '../protocol/hex.ts';
import type { Dialect, ReadBuilder } from './dialect.ts';
import { type Compiled, compile } from './params.ts';
import { type Column, columnsOf, type Row, type TableName, type Tables } from './schema.ts';

/** A query with rows of type `R`: of the query builder, or of `select`. */
export interface Query<R> extends Expression<R> {
  compile(builder: Kysely<Tables>): CompiledQuery;
}

/** A query that every reader prepares once. Its parameters are bound by name, see `param`. */
export interface Statement<P extends object, R> {
  /** For a short reader, it may give up instead of reading many rows: see `LongResultError`. */
  build(db: ReadBuilder, dialect: Dialect, isShort: boolean): Query<R>;
  /** The type of the parameters. A type only: never set. */
  readonly $params?: P;
}

type Build<R> = Statement<object, R>['build'];

/** The type of the rows is that of the query. With parameters of type `P`: `statement<P>()((db) => …)`. */
export function statement<P extends object>(): <R>(build: Build<R>) => Statement<P, R>;
export function statement<P extends object, R>(build: Build<R>): Statement<P, R>;
export function statement<R>(build?: Build<R>) {
  return build === undefined ? (given: Build<unknown>) => ({ build: given }) : { build };
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

/** A column that is called `address` holds nothing else. */
type Value<T extends TableName, C extends Column<T>> = C extends 'address' ? Address : Row<T>[C];

/** The columns of a table that a query calls `alias`. */
export function columns<T extends TableName>(table: T, alias: string = table) {
  const refs = columnsOf(table).map((column) => [column, sql.ref(`${alias}.${column}`)]);
  // Safe: these are all columns.
  return Object.fromEntries(refs) as { readonly [C in Column<T>]: RawBuilder<Value<T, C>> };
}

/** The same for a left join, which may find no row. */
export function optional<T extends TableName>(table: T, alias: string = table) {
  return columns(table, alias) as { readonly [C in Column<T>]: RawBuilder<Value<T, C> | null> };
}

/** What a query selects, by the names of its columns. */
export type Columns = Readonly<Record<string, Expression<unknown>>>;
export type RowOf<C extends Columns> = {
  readonly [N in keyof C]: C[N] extends Expression<infer V> ? V : never;
};

/** A query in SQL with the names of its columns. */
export interface Select<R> {
  readonly names: readonly string[];
  readonly query: RawBuilder<R>;
}

/** The rows of such a query. */
export type SelectedRow<S> = S extends Select<infer R> ? R : never;

/** Selects `columns`, which both the SQL and the type of the rows are made of; `rest` is the query from `from` on. */
export function select<C extends Columns>(columns: C, rest = sql``): Select<RowOf<C>> {
  const list = Object.entries(columns).map(([name, column]) => sql`${column} as ${sql.ref(name)}`);
  return { names: Object.keys(columns), query: sql`select ${sql.join(list)} ${rest}` };
}

/** Queries by the names that another one gives them. */
export type NamedQueries = Readonly<Record<string, RawBuilder<unknown>>>;

/** Puts `with` before a query. */
export function withQueries<R>(queries: NamedQueries, { names, query }: Select<R>, kind = sql``): Select<R> {
  const list = Object.entries(queries).map(([name, named]) => sql`${sql.ref(name)} as ${kind} (${named})`);
  return { names, query: sql`with ${sql.join(list)} ${query}` };
}

/** A row of `withHead`. */
export interface Headed<H, R> {
  /** Types only: never set. */
  readonly $head?: H;
  readonly $row?: R;
}

/** Selects one row with facts about a whole page before its rows, so that none of them repeats these. */
export function withHead<H, R>(head: Select<H>, page: Select<R>): Select<Headed<H, R>> {
  const nulls = (names: readonly string[]) => sql.join(names.map((name) => sql`null as ${sql.ref(name)}`));
  return {
    names: [...head.names, ...page.names],
    query: sql`select head.*, ${nulls(page.names)} from (${head.query}) as head
      union all select ${nulls(head.names)}, page.* from (${page.query}) as page`,
  };
}

/** The result of such a query. */
export function splitHead<H, R>([head, ...rows]: readonly Headed<H, R>[]) {
  // Safe: the first row has the columns of the head, and the others have those of the page.
  return { head: head as H | undefined, rows: rows as readonly unknown[] as readonly R[] };
}

/** Calls `prepare` once for each statement, and what it returns for each of its runs. */
function prepareOnce<T>(dialect: Dialect, prepare: (compiled: Compiled) => (params: object) => T, isShort = false) {
  const prepared = new Map<unknown, (params: object) => T>();
  return ({ build }: Statement<object, unknown>, params: object): T => {
    const run = prepared.get(build) ?? prepare(compile(build(dialect.builder, dialect, isShort), dialect.builder));
    prepared.set(build, run);
    return run(params);
  };
}

/** A reader whose `prepare` returns the rows for some parameters. */
export function createReader(
  dialect: Dialect,
  prepare: (compiled: Compiled) => (params: object) => Promise<readonly unknown[]>,
  isShort = false,
) {
  const run = prepareOnce(dialect, prepare, isShort);
  return {
    dialect,
    // Async: preparing a statement may throw. Safe: the columns of the statement are the fields of its rows.
    all: async <P extends object, R>(statement: Statement<P, R>, params: P) => run(statement, params) as Promise<R[]>,
  };
}

/** A reader that calls `open` for each run of a statement. */
export function createStreamReader(
  dialect: Dialect,
  open: (compiled: Compiled, params: object) => AsyncGenerator<unknown[]>,
) {
  const run = prepareOnce(dialect, (compiled) => (params) => open(compiled, params));
  return {
    /**
     * The rows of one snapshot, which is the latest commit when the first chunk is taken. Take the others without waiting
     * for a client: the snapshot is held until the generator ends. Safe: as above.
     */
    stream: <P extends object, R>(statement: Statement<P, R>, params: P) =>
      run(statement, params) as AsyncGenerator<R[]>,
  };
}

/** Returns the rows of a statement. */
type Run = (compiled: Compiled, params: object) => Promise<readonly unknown[]>;

/** For answers that several statements make. `hold` begins and ends a snapshot. */
export function createSnapshotReader(dialect: Dialect, hold: <T>(work: (run: Run) => Promise<T>) => Promise<T>) {
  const prepare = prepareOnce(dialect, (compiled) => (params) => (run: Run) => run(compiled, params));
  return {
    /**
     * Runs `work` with a reader whose statements all see one commit: the latest one when the first of them runs. Do not
     * wait for a client in it: the snapshot is held until it ends.
     */
    snapshot: <T>(work: (reader: ReturnType<typeof createReader>) => Promise<T>): Promise<T> =>
      hold((run) =>
        work({
          dialect,
          // Safe: as above.
          all: async <P extends object, R>(statement: Statement<P, R>, params: P) =>
            prepare(statement, params)(run) as Promise<R[]>,
        }),
      ),
  };
}
