import type { Migration } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { createSchema } from './001-schema.ts';

/** In the order in which they run. Never edit a released migration: add a new one. */
export function createMigrations(dialect: Dialect): Record<string, Migration> {
  return { '001-schema': { up: (db) => createSchema(db, dialect) } };
}
