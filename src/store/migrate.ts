import { type Kysely, Migrator } from 'kysely';
import { OperatorError } from '../protocol/operator-error.ts';
import type { Dialect } from './dialect.ts';
import { createMigrations } from './migrations/migrations.ts';

/** The database was migrated by a later version of Kith. */
export class NewerDatabaseError extends OperatorError {
  override name = 'NewerDatabaseError';
  readonly code = 'E_NEWER_DATABASE';
}

/** The database does not exist, or has no tables of Kith. */
export class NoDatabaseError extends OperatorError {
  override name = 'NoDatabaseError';
  readonly code = 'E_NO_DATABASE';
}

/** For commands that must not create a database. */
export async function requireMigrated(db: Kysely<unknown>): Promise<void> {
  if ((await readMigrations(db)).length === 0)
    throw new NoDatabaseError('DATABASE_URL: the database has no data of Kith');
}

/** Migrates the database to the latest schema, in a transaction unless the caller has one open. */
export async function migrate(db: Kysely<unknown>, dialect: Dialect, inTransaction: boolean): Promise<void> {
  const migrations = createMigrations(dialect);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    disableTransactions: inTransaction,
  });
  const unknown = (await readMigrations(db)).filter((name) => !(name in migrations));
  if (unknown.length > 0) {
    throw new NewerDatabaseError(
      `the database is newer than this program: it has the unknown migrations ${unknown.join(', ')}; run the version that made it, or a later one`,
    );
  }
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** Whether no migration is pending. False for a newer database, so that `migrate` runs and throws. */
export async function isUpToDate(db: Kysely<unknown>, dialect: Dialect): Promise<boolean> {
  const done = await readMigrations(db);
  const known = Object.keys(createMigrations(dialect));
  return done.length === known.length && known.every((name) => done.includes(name));
}

async function readMigrations(db: Kysely<unknown>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  // Safe: Kysely created the table with this column.
  const rows = await (db as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  return rows.map((row) => row.name);
}
