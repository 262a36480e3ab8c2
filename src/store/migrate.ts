import { CompiledQuery, type Kysely, Migrator } from 'kysely';
import { CommandError, OperatorError } from '../errors/operator-error.ts';
import { type Dialect, sqliteDialect } from './dialect.ts';
import type { Executor } from './executor.ts';
import { createMigrations } from './migrations/migrations.ts';

/** The database was migrated by a later version of Kith. */
export class NewerDatabaseError extends OperatorError {
  readonly code = 'E_NEWER_DATABASE';
}

/** The database was made by an earlier version of Kith whose tables this one cannot read. */
export class OlderDatabaseError extends OperatorError {
  readonly code = 'E_OLDER_DATABASE';
}

/** For commands that must not create a database. */
export async function requireMigrated(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  if ((await readMigrations(db, dialect)).length === 0)
    throw new CommandError('E_NO_DATABASE', 'DATABASE_URL: not a database of Kith');
}

/** Throws if the database has tables, and none of Kith. */
export async function requireNotForeign(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  if ((await readMigrations(db, dialect)).length > 0) return requireKnownMigrations(db, dialect);
  const [table] = await readNames(db, dialect.readTables);
  if (table !== undefined)
    throw new CommandError(
      'E_NO_DATABASE',
      `DATABASE_URL: the database is of another program, with a table ${JSON.stringify(table)}; name another file`,
    );
}

/** Whether migrations are pending. Throws if the database has some that this program does not know. */
export async function hasPendingMigrations(db: Kysely<unknown>, dialect: Dialect): Promise<boolean> {
  const done = await readMigrations(db, dialect);
  requireKnown(done);
  return done.length < Object.keys(createMigrations(dialect)).length;
}

/** Throws if the database has migrations that this program does not know. */
async function requireKnownMigrations(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  requireKnown(await readMigrations(db, dialect));
}

/** Migrates the database to the latest schema, in a transaction unless the caller has one open. */
export async function migrate(db: Kysely<unknown>, dialect: Dialect, inTransaction: boolean): Promise<void> {
  const provider = { getMigrations: async () => createMigrations(dialect) };
  const migrator = new Migrator({ db, provider, disableTransactions: inTransaction });
  await requireKnownMigrations(db, dialect);
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/**
 * Throws if a later version has migrated the database since this process opened it. For the start of each write
 * transaction: this program would write rows that the later version does not expect.
 */
export async function requireKnownSchema(executor: Pick<Executor, 'run'>): Promise<void> {
  // Safe: Kysely created the table with this column.
  const [latest] = (await executor.run('select name from kysely_migration order by name desc limit 1', [])) as {
    name: string;
  }[];
  requireKnown(latest === undefined ? [] : [latest.name]);
}

/** The same for both engines. */
const KNOWN = new Set(Object.keys(createMigrations(sqliteDialect)));

/** The first migration of versions before 0.3, which were not published. */
const BEFORE_IDS = '001-graph';

function requireKnown(migrations: readonly string[]): void {
  const unknown = migrations.filter((name) => !KNOWN.has(name));
  if (unknown.length === 0) return;
  if (migrations.includes(BEFORE_IDS)) {
    throw new OlderDatabaseError(
      'the database was made by an earlier version of Kith: index or import into a new one; "kith export logs" of the earlier version writes a file that "kith import logs" reads',
    );
  }
  throw new NewerDatabaseError(
    `the database is newer than this program: it has the unknown migrations ${unknown.join(', ')}; run the version that made it, or a later one`,
  );
}

async function readMigrations(db: Kysely<unknown>, dialect: Dialect): Promise<string[]> {
  const tables = await readNames(db, dialect.readTables);
  return tables.includes('kysely_migration') ? readNames(db, 'select name from kysely_migration') : [];
}

async function readNames(db: Kysely<unknown>, text: string): Promise<string[]> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text));
  // Safe: both statements select a name.
  return (rows as { name: string }[]).map(({ name }) => name);
}
