import { stat } from 'node:fs/promises';
import { backupSqlite } from '../store/sqlite/database-file.ts';
import { type Command, UsageError } from './command.ts';
import { writeNewFile } from './new-file.ts';
import { withStore } from './with-store.ts';

export const backup: Command = {
  usage: 'FILE',
  maxPositionals: 1,
  help: `Copies the SQLite database to a new file, also while other processes read and write it. The copy has all
commits up to one moment. For PostgreSQL, use pg_dump.`,
  async run(context, { positionals: [file] }) {
    if (file === undefined) throw new UsageError('FILE: expected the path of the copy');
    const { database } = context.config;
    if (database.engine !== 'sqlite')
      throw new UsageError('kith backup copies SQLite databases; use pg_dump for PostgreSQL');
    // Opened for its checks: a missing or newer database is an error of its own.
    const copy = (partial: string) => backupSqlite(database.path, partial);
    await withStore(context, () => writeNewFile(file, copy, context.onKilled), { mustExist: true });
    context.stdout.write(`${file}: ${(await stat(file)).size} bytes written\n`);
  },
};
