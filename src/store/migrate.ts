import { type Kysely, Migrator } from 'kysely';
import { OperatorError } from '../protocol/operator-error.ts';
import type { Dialect } from './dialect.ts';
import { createMigrations } from './migrations.ts';

/** The database was made by a later version of the program. */
export class NewerDatabaseError extends OperatorError {
  override name = 'NewerDatabaseError';
  readonly code = 'E_NEWER_DATABASE';
}

/** Brings the database up to this program's schema, in a transaction unless the caller has one open. */
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
      `the database is newer than this program: it has had the migrations ${unknown.join(', ')}, which this version does not know; run the version that made it, or a later one`,
    );
  }
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** Whether there is nothing to do. A database that is newer is not up to date: migrating tells why. */
export async function isUpToDate(db: Kysely<unknown>, dialect: Dialect): Promise<boolean> {
  const done = await readMigrations(db);
  const known = Object.keys(createMigrations(dialect));
  return done.length === known.length && known.every((name) => done.includes(name));
}

async function readMigrations(db: Kysely<unknown>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  // Safe: Kysely made the table, with this column.
  const rows = await (db as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  return rows.map((row) => row.name);
}
