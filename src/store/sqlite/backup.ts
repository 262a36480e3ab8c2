import Database from 'better-sqlite3';

/** More pages than a database can have. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies a database that may be in use to a new file. All pages are copied in one step, because SQLite starts a backup
 * of several steps again whenever another process commits in between. Writers are not blocked.
 */
export async function backupSqlite(path: string, copy: string): Promise<void> {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    await db.backup(copy, { progress: () => ALL_PAGES });
  } finally {
    db.close();
  }
}
