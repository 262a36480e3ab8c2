import type { LeaderboardCountBody, TotalsBody } from '../../contract/leaderboard-schemas.ts';
import type { Reader } from '../../store/store.ts';
import { readState } from '../state.ts';

export async function readLeaderboardCount(reader: Reader): Promise<LeaderboardCountBody> {
  const numberOf = await readState(reader);
  return { leaderboardCount: `${numberOf('ranked')}` };
}

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
