import type { LeaderboardCountBody, TotalsBody } from '../../contract/leaderboard-schemas.ts';
import { readState } from '../../store/state.ts';
import type { Reader } from '../../store/store.ts';

export async function readLeaderboardCount(reader: Reader): Promise<LeaderboardCountBody> {
  const numberOf = await readState(reader);
  return { leaderboardCount: `${numberOf('ranked')}` };
}

/** Numbers of the whole graph. They are stored, so it takes the same time for any size. */
export async function readTotals(reader: Reader): Promise<TotalsBody> {
  const numberOf = await readState(reader);
  return {
    stats: {
      address_count: `${numberOf('listed_accounts')}`,
      list_count: `${numberOf('lists')}`,
      list_op_count: `${numberOf('list_ops')}`,
      user_count: `${numberOf('minted_accounts')}`,
    },
  };
}
