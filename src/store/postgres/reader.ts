import type pg from 'pg';
import { postgresDialect } from '../dialect.ts';
import { compile, createBuilder } from '../prepare.ts';
import type { BuildQuery, Reader } from '../store.ts';
import { withUnavailable } from './errors.ts';

/**
 * Planner settings for lookups, which read short index ranges whatever the parameters are. By default, PostgreSQL replans a
 * search for each term (2 ms), starts parallel workers for it (10 ms), prefers sequential scans where it misestimates a
 * partial index, and JIT-compiles such plans.
 */
export const LOOKUP_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  max_parallel_workers_per_gather: '0',
  enable_seqscan: 'off',
  jit: 'off',
};
export const SET_LOOKUP_SETTINGS = Object.entries(LOOKUP_SETTINGS)
  .map(([name, value]) => `set ${name} to ${value}`)
  .join('; ');

const QUERY_TIMEOUT_MS = 15_000;

const builder = createBuilder('postgres');

/** Runs queries as named prepared statements on any connection of the pool. */
export function createPostgresReader(pool: pg.Pool): Reader {
  let statements = 0;
  const prepareStatement = (build: BuildQuery<unknown>) => {
    const { text, bind } = compile(build(builder));
    const name = `kith-${++statements}`;
    return (params: object) => withTimeout({ name, text, values: bind(params) });
  };
  return {
    dialect: postgresDialect,
    inSnapshot: (work) => work(),
    sync: null,
    prepare<P, R>(build: BuildQuery<R>) {
      const statement = prepareStatement(build);
      return async (params: P) => {
        const { rows } = await withUnavailable(() => pool.query(statement(params as object)));
        return rows as R[];
      };
    },
    prepareColumn<P, V>(build: BuildQuery<Record<string, V>>) {
      const statement = prepareStatement(build);
      return async (params: P) => {
        const query = { ...statement(params as object), rowMode: 'array' as const };
        const { rows } = await withUnavailable(() => pool.query<[V]>(query));
        return rows.map(([value]) => value);
      };
    },
  };
}

/** A server that takes longer is treated as unreachable. Not for transactions, which may be long. */
export function withTimeout<C extends pg.QueryConfig>(query: C): C {
  return { ...query, query_timeout: QUERY_TIMEOUT_MS };
}
