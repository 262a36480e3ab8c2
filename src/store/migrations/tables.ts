import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { ColumnKind } from '../schema.ts';

/** The columns of a primary key, and all columns, each with its kind; a question mark follows the kind of a nullable one. */
export type TableText = readonly [key: string, columns: string];

interface TableOptions {
  /** SQLite stores the rows of other tables in the order of their primary key. */
  readonly hasRowId?: boolean;
}

/** The statement that creates a table. Migrations do not derive it from `TABLES`, which changes with later versions. */
export function createTable(dialect: Dialect, name: string, [key, columns]: TableText, options: TableOptions = {}) {
  const definitions = columns.split(', ').map((column) => {
    const [, quoted, kind, isNullable] = /^(\S+) (\w+)(\??)$/.exec(column) ?? [];
    // Safe: a kind that does not exist makes a statement that fails.
    return `${quoted} ${dialect.types[kind as ColumnKind]}${isNullable ? '' : ' not null'}`;
  });
  const isClustered = dialect.isClustered && !options.hasRowId;
  // PostgreSQL has no descending keys.
  const keyColumns = dialect.isClustered ? key : key.replaceAll(' desc', '');
  const text = `create table ${name} (${definitions.join(', ')}, primary key (${keyColumns}))`;
  return isClustered ? `${text} without rowid` : text;
}

export async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
