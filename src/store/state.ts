import type { Row } from './schema.ts';
import { statement } from './statement.ts';
import type { Reader } from './store.ts';
import type { StateKey } from './versions.ts';

const STATE = statement<object, Row<'state'>>((db) => db.selectFrom('state').selectAll());

/** Reads the numbers in `state`. One without a row is 0. */
export async function readState(reader: Pick<Reader, 'all'>): Promise<(key: StateKey) => number> {
  const values = new Map((await reader.all(STATE, {})).map(({ key, value }) => [key, value]));
  return (key) => values.get(key) ?? 0;
}
