import { serialiseLeaderboardRow } from '../contract/serialise.ts';
import { isOnLeaderboard } from '../graph/counts.ts';
import { ranksOf } from '../graph/ranks.ts';
import { sameRow } from '../ingest/row-set.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';

type Member = Pick<Row<'accounts'>, 'address' | 'followers' | 'following' | 'mutuals' | 'blocks' | 'top8'> & {
  name: string | null;
  avatar: string | null;
};

/**
 * Makes the leaderboard, if the graph has changed since it was last made, and tells who is new on it; null if it had
 * not changed. Only rows that differ are written.
 */
export async function makeRanks(tx: Transaction, now: number): Promise<string[] | null> {
  const state = new Map(
    (await tx.query((db) => db.selectFrom('state').selectAll())).map((row) => [row.key, row.value]),
  );
  const graphVersion = state.get('graph_version') ?? 0;
  if (graphVersion === state.get('ranks_graph_version')) return null;

  const board = rankMembers(await readMembers(tx));
  const known = new Map(
    (await tx.query((db) => db.selectFrom('leaderboard').selectAll())).map((row) => [row.address, row]),
  );
  const joined: string[] = [];
  const changed = board.filter((row) => {
    const before = known.get(row.address);
    known.delete(row.address);
    if (before === undefined) joined.push(row.address);
    return before === undefined || !sameRow(row, before);
  });
  await tx.upsert('leaderboard', changed);
  await tx.remove('leaderboard', [...known.values()]);
  await tx.upsert('state', [
    { key: 'ranks_graph_version', value: graphVersion },
    { key: 'ranks_made_at', value: now },
    { key: 'ranked', value: board.length },
  ]);
  await tx.raiseVersion();
  return joined;
}

async function readMembers(tx: Transaction): Promise<Member[]> {
  const rows = await tx.query((db) =>
    db
      .selectFrom('accounts')
      .leftJoin('profiles', 'profiles.address', 'accounts.address')
      .select(['accounts.address', 'followers', 'following', 'mutuals', 'blocks', 'top8', 'name', 'avatar']),
  );
  return rows.filter(isOnLeaderboard);
}

function rankMembers(members: readonly Member[]): Row<'leaderboard'>[] {
  const rank = (count: 'followers' | 'following' | 'mutuals' | 'blocks' | 'top8') =>
    ranksOf(members.map((member) => member[count]));
  const followers = rank('followers');
  const following = rank('following');
  const mutuals = rank('mutuals');
  const blocks = rank('blocks');
  const top8 = rank('top8');
  // Safe: every index below comes from `members`.
  const at = (ranks: Uint32Array, i: number) => ranks[i] as number;
  const rows = members.map((member, i) => {
    const ranks = {
      mutuals_rank: at(mutuals, i),
      followers_rank: at(followers, i),
      following_rank: at(following, i),
      blocks_rank: at(blocks, i),
    };
    const row: Row<'leaderboard'> = {
      address: member.address,
      position: 0,
      name: (member.name ?? '').toLowerCase(),
      ...ranks,
      top8_rank: at(top8, i),
      entry: entryOf(member, ranks),
    };
    return row;
  });
  rows.sort((a, b) => a.followers_rank - b.followers_rank || (a.address < b.address ? -1 : 1));
  rows.forEach((row, i) => {
    row.position = i;
  });
  return rows;
}

type EntryRanks = Record<'mutuals_rank' | 'followers_rank' | 'following_rank' | 'blocks_rank', number>;

function entryOf(member: Member, ranks: EntryRanks): string {
  return serialiseLeaderboardRow({
    address: member.address,
    name: member.name ?? '',
    avatar: member.avatar ?? '',
    mutuals_rank: String(ranks.mutuals_rank),
    followers_rank: String(ranks.followers_rank),
    following_rank: String(ranks.following_rank),
    blocks_rank: String(ranks.blocks_rank),
    mutuals: String(member.mutuals),
    following: String(member.following),
    followers: String(member.followers),
    blocks: String(member.blocks),
  });
}
