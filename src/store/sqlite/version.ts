import type { Database } from 'better-sqlite3';
import type { DataVersion } from '../store.ts';

/** `pragma data_version` changes with any commit of another connection; only then is the stored version read again. */
export function createSqliteVersion(db: Database): DataVersion {
  const snapshotId = db.prepare('pragma data_version').pluck();
  const stored = db.prepare("select value from state where key = 'data_version'").pluck();
  let lastId: unknown;
  let version: number | null = null;
  return {
    current() {
      const id = snapshotId.get();
      if (id !== lastId) {
        version = stored.get() as number;
        lastId = id;
      }
      return version;
    },
  };
}
