import { type Static, Type } from '@sinclair/typebox';
import { LeaderboardEntry } from './schemas.ts';
import { serialiser } from './serialise.ts';

const Member = Type.Pick(LeaderboardEntry, ['address', 'name', 'avatar'], { additionalProperties: false });
const serialiseMember = serialiser(Member);

/** What an entry counts, in the order in which they are kept. */
const COUNTS = ['mutuals', 'following', 'followers', 'blocks'] as const;
type EntryCounts = Readonly<Record<(typeof COUNTS)[number], number>>;

/** The texts of ranks by the texts of counts. */
export type RankTexts = Readonly<Record<(typeof COUNTS)[number], ReadonlyMap<string, string>>>;

/** An entry as it is kept: how it begins, and, on a line of their own, the counts; ranks and time are those of all. */
export function keptEntry(member: Static<typeof Member>, counts: EntryCounts): string {
  return `${serialiseMember(member).slice(0, -1)}\n${COUNTS.map((name) => counts[name]).join(' ')}`;
}

/** The entry with what all entries share. */
export function finishEntry(kept: string, ranks: RankTexts, time: string): string {
  const line = kept.lastIndexOf('\n');
  const [mutuals = '', following = '', followers = '', blocks = ''] = kept.slice(line + 1).split(' ');
  return `${kept.slice(0, line)},"mutuals_rank":"${ranks.mutuals.get(mutuals)}","followers_rank":"${ranks.followers.get(followers)}","following_rank":"${ranks.following.get(following)}","blocks_rank":"${ranks.blocks.get(blocks)}","mutuals":"${mutuals}","following":"${following}","followers":"${followers}","blocks":"${blocks}","updated_at":"${time}"}`;
}
