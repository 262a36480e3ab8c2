import type { LeaderboardCountBody, TotalsBody } from '../../contract/leaderboard-schemas.ts';
import type { Row, StateKey } from '../../store/schema.ts';
import { statement } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';

const state = statement<object, Row<'state'>>((db) => db.selectFrom('state').selectAll());

/** Numbers of the whole graph. They are stored, so it takes the same time for any size. */
async function readNumbers(reader: Reader): Promise<(key: StateKey) => string> {
  const values = new Map((await reader.all(state, {})).map(({ key, value }) => [key, value]));
  return (key) => `${values.get(key) ?? 0}`;
}

export async function readLeaderboardCount(reader: Reader): Promise<LeaderboardCountBody> {
  const textOf = await readNumbers(reader);
  return { leaderboardCount: textOf('ranked') };
}

export async function readTotals(reader: Reader): Promise<TotalsBody> {
  const textOf = await readNumbers(reader);
  return {
    stats: {
      address_count: textOf('listed_accounts'),
      list_count: textOf('lists'),
      list_op_count: textOf('list_ops'),
      user_count: textOf('minted_accounts'),
    },
  };
}
