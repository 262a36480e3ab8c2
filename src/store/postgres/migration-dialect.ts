import { type Kysely, type MigrationLockOptions, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import { requireKnownMigrations } from '../migrate.ts';
import { WRITER_LOCK } from './transaction.ts';

/**
 * Holds the lock of write transactions during a migration, on the connection that migrates. A write transaction checks the
 * schema when it begins, so the schema must not change until the transaction has ended.
 */
class MigrationAdapter extends PostgresAdapter {
  override async acquireMigrationLock(db: Kysely<unknown>, options: MigrationLockOptions): Promise<void> {
    await super.acquireMigrationLock(db, options);
    await sql`select pg_advisory_lock(${sql.lit(WRITER_LOCK)})`.execute(db);
    // A later version may have migrated the database during the wait.
    await requireKnownMigrations(db);
  }

  override async releaseMigrationLock(db: Kysely<unknown>, options: MigrationLockOptions): Promise<void> {
    await sql`select pg_advisory_unlock(${sql.lit(WRITER_LOCK)})`.execute(db);
    await super.releaseMigrationLock(db, options);
  }
}

export class MigrationDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new MigrationAdapter();
  }
}
