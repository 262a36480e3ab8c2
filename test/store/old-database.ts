import Database from 'better-sqlite3';
import { Kysely, Migrator, PostgresDialect, SqliteDialect, sql } from 'kysely';
import pg from 'pg';
import { gramsOf } from '../../src/graph/search-grams.ts';
import { postgresDialect, sqliteDialect } from '../../src/store/dialect.ts';
import { createMigrations } from '../../src/store/migrations/migrations.ts';
import type { TestDatabase } from '../support/engines.ts';

type AnyRow = Record<string, unknown>;
type AnyTables = Kysely<Record<string, AnyRow>>;

/** In order. */
export const MIGRATIONS = Object.keys(createMigrations(sqliteDialect));

/** Makes a database as the version with this latest migration had it, with the data of a database of today. */
export async function makeOldDatabase(old: TestDatabase, migration: string, today: TestDatabase): Promise<void> {
  const [target, source] = [connect(old), connect(today)];
  try {
    const migrations = createMigrations(old.url.startsWith('sqlite:') ? sqliteDialect : postgresDialect);
    const migrator = new Migrator({ db: target, provider: { getMigrations: async () => migrations } });
    const { error } = await migrator.migrateTo(migration);
    if (error !== undefined) throw error;
    for (const { name, columns } of await target.introspection.getTables()) {
      if (name.startsWith('leaderboard_grams')) continue;
      const isInteger = (dataType: string) => /int/i.test(dataType);
      const known = await readRows(source, name);
      const rows = known.map((row, i): AnyRow => {
        // Columns that no longer exist: `position` of the leaderboard is unique, the others may have any number.
        const gone: AnyRow = { popularity: row.followers, position: i };
        const oldValue = ({ name: column, dataType, isNullable }: (typeof columns)[number]) =>
          row[column] ?? gone[column] ?? (isNullable ? null : isInteger(dataType) ? 0 : '');
        return Object.fromEntries(columns.map((column) => [column.name, oldValue(column)]));
      });
      if (name === 'state') await writeState(target, rows);
      else for (const row of rows) await target.insertInto(name).values(row).execute();
    }
    // Earlier indexes had other grams, and the migration to these made the index again.
    if (migration >= '005') await writeGrams(target, old);
  } finally {
    await target.destroy();
    await source.destroy();
  }
}

function connect({ url }: TestDatabase): AnyTables {
  return url.startsWith('sqlite:')
    ? new Kysely({ dialect: new SqliteDialect({ database: new Database(url.slice('sqlite:'.length)) }) })
    : new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }) });
}

/** The rows of today that an old table had: follows were stored by target before all edges were. */
function readRows(source: AnyTables, table: string): Promise<AnyRow[]> {
  const followsOf = (name: string) => source.selectFrom(name).selectAll().where('relation', '=', 0).execute();
  if (table === 'followers') return followsOf('edges');
  if (table === 'follower_tags') return followsOf('edge_tags');
  return source.selectFrom(table).selectAll().execute();
}

/** Sets the numbers that the old version had. */
async function writeState(target: AnyTables, rows: readonly AnyRow[]): Promise<void> {
  for (const { key, value } of rows) await target.updateTable('state').set({ value }).where('key', '=', key).execute();
}

async function writeGrams(target: AnyTables, { url }: TestDatabase): Promise<void> {
  const grams = new Map<number, Set<string>>();
  for (const { place, address, name } of await target.selectFrom('leaderboard').selectAll().execute()) {
    const known = grams.get(Number(place)) ?? new Set();
    for (const gram of gramsOf(String(address), String(name)).split(' ')) known.add(gram);
    grams.set(Number(place), known);
  }
  const isSqlite = url.startsWith('sqlite:');
  for (const [place, known] of [...grams].sort(([a], [b]) => a - b)) {
    const text = [...known].join(' ');
    await (isSqlite
      ? sql`insert into leaderboard_grams (rowid, grams) values (${place}, ${text})`
      : sql`insert into leaderboard_grams (gram, place) select unnest(string_to_array(${text}, ' ')), ${place}::bigint`
    ).execute(target);
  }
}
