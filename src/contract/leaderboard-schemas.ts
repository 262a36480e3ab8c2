import { type Static, type TString, Type } from '@sinclair/typebox';
import { address, count, LeaderboardEntry, name, object } from './schemas.ts';

/** Schemas of the responses about the leaderboard and the whole graph, besides the search. */
export const RankedBody = object('RankedLeaderboard', 'A page of the leaderboard by one count.', {
  last_updated: LeaderboardEntry.properties.updated_at,
  results: Type.Array(LeaderboardEntry, { description: 'The members on this page.' }),
});
export type RankedBody = Static<typeof RankedBody>;
/** Rows of the accounts with the greatest counts. */
const countRows = <K extends string>(title: string, key: K, counted: string) => {
  // Safe: the object has this one property.
  const property = { [key]: count(counted) } as Record<K, TString>;
  const row = object(title, 'An account by one of its counts, as of the last ranking.', {
    rank: Type.Integer({ description: '1 plus the number of accounts with a greater count.', minimum: 1 }),
    address: address(),
    ...property,
  });
  return Type.Array(row, { title: `${title}s`, description: 'Accounts whose count is above 0, greatest first.' });
};
/** The name of the count in the rows of each list. */
export const COUNT_KEYS = {
  followers: 'followers_count',
  following: 'following_count',
  mutuals: 'mutuals_count',
  blocked: 'blocked_by_count',
  blocks: 'blocks_count',
  muted: 'muted_by_count',
  mutes: 'mutes_count',
} as const;
export type CountName = keyof typeof COUNT_KEYS;
export const COUNT_ROWS = {
  followers: countRows('FollowersRow', COUNT_KEYS.followers, 'Followers'),
  following: countRows('FollowingRow', COUNT_KEYS.following, 'Accounts followed'),
  mutuals: countRows('MutualsRow', COUNT_KEYS.mutuals, 'Accounts that follow and are followed'),
  blocked: countRows('BlockedRow', COUNT_KEYS.blocked, 'Accounts that block this one'),
  blocks: countRows('BlocksRow', COUNT_KEYS.blocks, 'Accounts that this one blocks'),
  muted: countRows('MutedRow', COUNT_KEYS.muted, 'Accounts that mute this one'),
  mutes: countRows('MutesRow', COUNT_KEYS.mutes, 'Accounts that this one mutes'),
} as const satisfies Record<CountName, object>;
export type CountRows<N extends CountName> = Static<(typeof COUNT_ROWS)[N]>;
export const LeaderboardCountBody = object('LeaderboardCount', 'The size of the leaderboard.', {
  leaderboardCount: count('Members of the leaderboard'),
});
export type LeaderboardCountBody = Static<typeof LeaderboardCountBody>;
const NamedAccount = object('NamedAccount', 'An account with its name.', { address: address(), name });
export const AllMembersBody = object('AllMembers', 'Members of the leaderboard.', {
  results: Type.Array(NamedAccount, { description: 'The members, by followers, then by address.' }),
});
export type AllMembersBody = Static<typeof AllMembersBody>;
const GraphStats = object('GraphStats', 'Current numbers of the whole graph.', {
  address_count: count('Different addresses in the records of all lists'),
  list_count: count('Lists that exist'),
  list_op_count: count('Valid list operations'),
  user_count: count('Accounts that a list was ever minted to'),
});
export const TotalsBody = object('Totals', 'Numbers of the whole graph.', { stats: GraphStats });
export type TotalsBody = Static<typeof TotalsBody>;
