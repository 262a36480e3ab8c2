import { statement, statements } from '../store/statement.ts';
import type { Reader } from '../store/store.ts';

const TABLES = ['logs', 'profiles', 'badges'] as const;
const firstOf = statements((table: (typeof TABLES)[number]) =>
  statement<object, { one: number }>((db) =>
    db
      .selectFrom(table)
      .select((eb) => eb.lit(1).as('one'))
      .limit(1),
  ),
);

/** Whether the database has no logs, profiles or badges. */
export async function isEmpty(reader: Reader): Promise<boolean> {
  for (const table of TABLES) if ((await reader.all(firstOf(table), {})).length > 0) return false;
  return true;
}
