import { sql } from 'kysely';
import { describe, expectTypeOf, it } from 'vitest';
import type { RowOf } from '../../src/store/statement.ts';
import { columns, optional, type SelectedRow, select, statement } from '../../src/store/statement.ts';
import type { Reader } from '../../src/store/store.ts';

const { id, address } = columns('accounts');
const { name } = optional('profiles');

describe('the rows of a statement', () => {
  it('have the columns that it selects, with the types of the schema', () => {
    const accounts = select({ id, account: address, name }, sql`from accounts`);
    expectTypeOf<SelectedRow<typeof accounts>>().toEqualTypeOf<{
      readonly id: number;
      readonly account: `0x${string}`;
      readonly name: string | null;
    }>();
    const query = statement<{ given: number }>()(() => accounts.query);
    expectTypeOf((reader: Reader) => reader.all(query, { given: 1 })).returns.resolves.items.toExtend<
      RowOf<{ id: typeof id; name: typeof name }>
    >();
  });

  it('are those of the query builder', () => {
    const query = statement((db) => db.selectFrom('tags').select(['id', 'tag as text']));
    expectTypeOf((reader: Reader) => reader.all(query, {})).returns.resolves.items.toEqualTypeOf<{
      id: number;
      text: string;
    }>();
  });

  it('do not compile with a column that the schema or the query does not have', () => {
    // @ts-expect-error: the column is `address`.
    void columns('accounts').adress;
    // @ts-expect-error: the query selects another column.
    void statement<object, { tag: string }>((db) => db.selectFrom('tags').select('id'));
    // @ts-expect-error: the column is a number.
    void statement<object, { id: string }>(() => select({ id }, sql`from accounts`).query);
    // @ts-expect-error: a left join may find no row.
    void statement<object, { name: string }>(() => select({ name }, sql`from profiles`).query);
  });

  it('do not compile without the parameters of the statement', () => {
    const query = statement<{ given: number }>()(() => select({ id }, sql`from accounts`).query);
    // @ts-expect-error: the parameter is `given`.
    void ((reader: Reader) => reader.all(query, { gven: 1 }));
  });
});
