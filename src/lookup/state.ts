import type { Row, StateKey } from '../store/schema.ts';
import { statement } from '../store/statement.ts';
import type { Reader } from '../store/store.ts';

const STATE = statement<object, Row<'state'>>((db) => db.selectFrom('state').selectAll());

/** Numbers of the whole graph. They are stored, so it takes the same time for any size. */
export async function readState(reader: Reader): Promise<(key: StateKey) => number> {
  const values = new Map((await reader.all(STATE, {})).map(({ key, value }) => [key, value]));
  return (key) => values.get(key) ?? 0;
}
