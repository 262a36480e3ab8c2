import { describe, expect, it } from 'vitest';
import { postgresDialect, sqliteDialect } from '../../src/store/dialect.ts';
import { type ColumnSpec, TABLE_NAMES, TABLES, type TableName } from '../../src/store/schema.ts';
import { engines } from '../support/engines.ts';
import { useOwnDatabase } from './own-database.ts';
import { queryDatabase } from './query-database.ts';

/** A column as the engine reports it. `key_position` counts from 1; 0 if it is not in the primary key. */
interface ColumnRow {
  readonly table_name: string;
  readonly column_name: string;
  readonly type: string;
  readonly is_nullable: boolean | number;
  readonly key_position: number;
}

const DIALECTS = { sqlite: sqliteDialect, postgres: postgresDialect };

/** Of all tables except those of Kysely and SQLite. */
const COLUMNS = {
  // SQLite does not report the key of a rowid table as `not null`.
  sqlite: `select t.name as table_name, c.name as column_name, lower(c.type) as type, c."notnull" = 0 and c.pk = 0 as is_nullable,
      c.pk as key_position
    from pragma_table_list as t join pragma_table_info(t.name) as c
    where t.schema = 'main' and t.name not like 'kysely\\_%' escape '\\' and t.name not like 'sqlite\\_%' escape '\\'`,
  postgres: `select c.table_name, c.column_name,
      c.data_type || case when c.collation_name is null then '' else ' collate "' || c.collation_name || '"' end as type,
      c.is_nullable = 'YES' as is_nullable, coalesce(k.ordinal_position, 0)::int as key_position
    from information_schema.columns as c
    left join information_schema.key_column_usage as k
      on k.table_schema = c.table_schema and k.table_name = c.table_name and k.column_name = c.column_name
      and k.constraint_name = c.table_name || '_pkey'
    where c.table_schema = 'public' and c.table_name not like 'kysely\\_%'`,
};

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);

describe.each(engines)('the migrated schema on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createBare });

  it('has exactly the tables, columns, types, nullability and primary keys that TABLES defines', async () => {
    await own.open();
    // Safe: the query selects these columns.
    const rows = (await queryDatabase(own.database, COLUMNS[engine.name])) as ColumnRow[];
    const names = new Set(rows.map((row) => row.table_name));
    const found = [...names].map((name) => {
      const columns = rows.filter((row) => row.table_name === name);
      const key = columns.filter((row) => row.key_position > 0).toSorted((a, b) => a.key_position - b.key_position);
      return {
        name,
        key: key.map((row) => row.column_name),
        columns: columns
          .map((row) => ({ name: row.column_name, type: row.type, isNullable: Boolean(row.is_nullable) }))
          .toSorted(byName),
      };
    });
    expect(found.toSorted(byName)).toEqual(TABLE_NAMES.map(defined).toSorted(byName));
  });

  function defined(name: TableName) {
    const columns = Object.entries<ColumnSpec>(TABLES[name].columns).map(([column, { kind, isNullable }]) => ({
      name: column,
      type: DIALECTS[engine.name].types[kind],
      isNullable,
    }));
    return { name, key: TABLES[name].key, columns: columns.toSorted(byName) };
  }
});
