import type { Reader } from '../store/store.ts';

/** Whether the database has no logs, profiles or badges. */
export function createIsEmpty(reader: Reader): () => Promise<boolean> {
  const tables = (['logs', 'profiles', 'badges'] as const).map((table) =>
    reader.prepare<object, object>((db) =>
      db
        .selectFrom(table)
        .select((eb) => eb.lit(1).as('one'))
        .limit(1),
    ),
  );
  return async () => {
    for (const first of tables) if ((await first({})).length > 0) return false;
    return true;
  };
}
