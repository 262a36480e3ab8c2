import type { Database } from 'better-sqlite3';
import { sqliteDialect } from '../dialect.ts';
import { type DataVersion, parseVersions, type Versions } from '../versions.ts';
import type { DatabaseFile } from './database-file.ts';

/** How often the pragma is asked while there are listeners, which takes 2 µs. */
const POLL_MS = 5;

/** `pragma data_version` changes with any commit of another connection; only then are the stored versions read again. */
export function createSqliteVersion(db: Database, file: Pick<DatabaseFile, 'isIntact'>): DataVersion {
  const snapshotId = db.prepare('pragma data_version').pluck();
  const stored = db.prepare(sqliteDialect.readVersions).pluck();
  let lastId: unknown;
  let lastText: unknown;
  let versions: Versions | null = null;
  function current(): Versions | null {
    if (!file.isIntact) return null;
    try {
      const id = snapshotId.get();
      if (id !== lastId) {
        const text = stored.get();
        // Safe: the statement selects a text.
        if (text !== lastText) versions = parseVersions(text as string);
        [lastId, lastText] = [id, text];
      }
      return versions;
    } catch {
      // The query that reads the response meets the same error, and reports it.
      return null;
    }
  }
  return {
    current,
    onChange(listener) {
      let last = current();
      const timer = setInterval(() => {
        const now = current();
        if (now === last) return;
        last = now;
        listener();
      }, POLL_MS).unref();
      return () => clearInterval(timer);
    },
  };
}
