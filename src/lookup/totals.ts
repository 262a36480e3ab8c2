import { type BinaryString, toBinary } from '../contract/binary-string.ts';
import type { Row, StateKey } from '../store/schema.ts';
import type { Reader } from '../store/store.ts';

/** Numbers of the whole graph. They are stored, so it takes the same time for any size. */
export function createTotalsLookup(reader: Reader): () => Promise<BinaryString> {
  const state = reader.prepare<object, Row<'state'>>((db) => db.selectFrom('state').selectAll());
  return async () => {
    const values = new Map((await state({})).map(({ key, value }) => [key, value]));
    const textOf = (key: StateKey) => `${values.get(key) ?? 0}`;
    return toBinary(
      JSON.stringify({
        stats: {
          address_count: textOf('listed_accounts'),
          list_count: textOf('lists'),
          list_op_count: textOf('list_ops'),
          user_count: textOf('minted_accounts'),
        },
      }),
    );
  };
}
