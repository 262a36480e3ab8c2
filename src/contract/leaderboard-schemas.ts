import { type Static, type TString, Type } from '@sinclair/typebox';
import { address, count, LeaderboardEntry, name, object } from './schemas.ts';

/** Schemas of the responses about the leaderboard and the whole graph, besides the search. */
export const RankedBody = object('RankedLeaderboard', 'A page of the leaderboard by one count.', {
  last_updated: LeaderboardEntry.properties.updated_at,
  results: Type.Array(LeaderboardEntry, { description: 'The members on this page.' }),
});
export type RankedBody = Static<typeof RankedBody>;
/** A list of the greatest counts: what it counts, the name of that in its rows, and the rows. */
const countList = <M extends string, K extends string>(measure: M, key: K, title: string, counted: string) => {
  // Safe: the object has this one property.
  const property = { [key]: count(counted) } as Record<K, TString>;
  const row = object(title, 'An account by one of its counts, as of the last ranking.', {
    rank: Type.Integer({ description: '1 plus the number of accounts with a greater count.', minimum: 1 }),
    address: address(),
    ...property,
  });
  const description = 'Accounts whose count is above 0, greatest first.';
  return { measure, key, rows: Type.Array(row, { title: `${title}s`, description }) };
};
export const COUNT_LISTS = {
  followers: countList('followers', 'followers_count', 'FollowersRow', 'Followers'),
  following: countList('following', 'following_count', 'FollowingRow', 'Accounts followed'),
  mutuals: countList('mutuals', 'mutuals_count', 'MutualsRow', 'Accounts that follow and are followed'),
  blocked: countList('blocks', 'blocked_by_count', 'BlockedRow', 'Accounts that block this one'),
  blocks: countList('blocks_given', 'blocks_count', 'BlocksRow', 'Accounts that this one blocks'),
  muted: countList('mutes', 'muted_by_count', 'MutedRow', 'Accounts that mute this one'),
  mutes: countList('mutes_given', 'mutes_count', 'MutesRow', 'Accounts that this one mutes'),
} as const;
export type CountName = keyof typeof COUNT_LISTS;
export type CountRows<N extends CountName> = Static<(typeof COUNT_LISTS)[N]['rows']>;
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
