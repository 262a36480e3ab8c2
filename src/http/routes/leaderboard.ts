import {
  AllMembersBody,
  COUNT_LISTS,
  type CountName,
  LeaderboardCountBody,
  RankedBody,
  TotalsBody,
} from '../../contract/leaderboard-schemas.ts';
import { LeaderboardBody } from '../../contract/schemas.ts';
import {
  DIRECTIONS,
  RANKED_SORTS,
  readLeaderboardCount,
  readMembers,
  readTotals,
  streamMembers,
} from '../../lookup/leaderboard/members.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import type { Page } from '../../lookup/page.ts';
import { byOffset, offset, offsetCursor, offsetPage } from '../request/cursor.ts';
import * as parameter from '../request/parameters.ts';
import { type Route, route } from './route.ts';

export function leaderboardRoutes(lookups: Lookups): Route[] {
  const countRows = <N extends CountName>(name: N, summary: string) =>
    route({
      path: `/leaderboard/${name}`,
      summary,
      description:
        'Accounts whose count is above 0, greatest first, then by address, as of the last ranking. Equal counts have equal ranks.',
      query: offsetPage(10),
      response: COUNT_LISTS[name].rows,
      dependsOn: ['ranks'],
      lookup: byOffset((reader, _, page) => lookups.countRows(reader, name, page)),
    });
  const members = byOffset((reader, _, page: Page) => readMembers(reader, page));
  return [
    route({
      path: '/leaderboard/search',
      summary: 'The leaderboard, or the accounts on it that match a term',
      description:
        'Ranks and counts are as of the last ranking. Without a term, members are ordered by followers, then by address. With one, accounts whose name or address equals it come first; then names that start with it, names that contain it, addresses that start with it, with or without `0x`, and addresses that contain it.',
      query: {
        term: parameter.text('Substring of a name or an address, in any letter case. Empty: all members.'),
        guess: parameter.word(
          '`true`: if no name starts with a term of at least four letters, names with one wrong, missing, additional or swapped letter follow the names that contain it.',
          ['false', 'true'],
          'false',
        ),
        ...offsetPage(50),
      },
      response: LeaderboardBody,
      dependsOn: ['names', 'ranks'],
      cost: ({ term }) => (term === '' ? 'light' : 'heavy'),
      lookup: byOffset((reader, _, { guess, ...query }) =>
        lookups.leaderboard(reader, { ...query, guess: guess === 'true' }),
      ),
    }),
    route({
      path: '/leaderboard/ranked',
      summary: 'The leaderboard by one of its counts',
      description: 'Members whose count is 0 come last in either direction. Ties are ordered by address.',
      query: {
        sort: parameter.word('The count to sort by; `blocked` and `blocks` are the same.', RANKED_SORTS, 'mutuals'),
        direction: parameter.word('Sort direction.', DIRECTIONS, 'desc'),
        ...offsetPage(50),
      },
      response: RankedBody,
      dependsOn: ['names', 'ranks'],
      rows: { in: 'results' },
      lookup: byOffset((reader, _, query) => lookups.ranked(reader, query)),
      stream: (reader, _, query) => lookups.streamRanked(reader, query),
    }),
    route({
      path: '/leaderboard/count',
      summary: 'The size of the leaderboard',
      description: 'As of the last ranking.',
      response: LeaderboardCountBody,
      dependsOn: ['ranks'],
      lookup: readLeaderboardCount,
    }),
    route({
      path: '/leaderboard/all',
      summary: 'All members of the leaderboard',
      description:
        'Addresses and names, by followers as of the last ranking, then by address. All of them without `limit` and `cursor`.',
      query: { limit: parameter.limitOrAll, offset, cursor: offsetCursor },
      response: AllMembersBody,
      rows: { in: 'results' },
      dependsOn: ['names', 'ranks'],
      cost: ({ limit, cursor }) => (limit === null && cursor === null ? 'stream' : limit === null ? 'heavy' : 'light'),
      lookup: (reader, _, { limit, ...query }) =>
        limit === null && query.cursor === null
          ? streamMembers(reader, query)
          : members(reader, null, { ...query, limit: limit ?? parameter.MAX_LIMIT }),
    }),
    countRows('followers', 'Accounts with the most followers'),
    countRows('following', 'Accounts that follow the most'),
    countRows('mutuals', 'Accounts with the most mutuals'),
    countRows('blocked', 'Accounts that are blocked most'),
    countRows('blocks', 'Accounts that block the most'),
    countRows('muted', 'Accounts that are muted most'),
    countRows('mutes', 'Accounts that mute the most'),
    route({
      path: '/stats',
      summary: 'Numbers of the whole graph',
      description: 'Current numbers, not as of the last ranking.',
      response: TotalsBody,
      dependsOn: ['graph'],
      lookup: readTotals,
    }),
  ];
}
