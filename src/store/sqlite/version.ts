import type { Database } from 'better-sqlite3';
import type { DataVersion } from '../store.ts';
import type { DatabaseFile } from './database-file.ts';

/** `pragma data_version` changes with any commit of another connection; only then is the stored version read again. */
export function createSqliteVersion(db: Database, file: Pick<DatabaseFile, 'isIntact'>): DataVersion {
  const snapshotId = db.prepare('pragma data_version').pluck();
  const stored = db.prepare("select value from state where key = 'data_version'").pluck();
  let lastId: unknown;
  let version: number | null = null;
  return {
    current() {
      if (!file.isIntact) return null;
      try {
        const id = snapshotId.get();
        if (id !== lastId) {
          version = stored.get() as number;
          lastId = id;
        }
        return version;
      } catch {
        // The query that reads the response meets the same error, and reports it.
        return null;
      }
    },
  };
}
