import { type RawBuilder, sql } from 'kysely';
import { searchOf, TIERS, type TierName } from '../graph/search-grams.ts';
import type { Found, Tier } from '../store/search-index.ts';
import type { BuildQuery, Query, Reader } from '../store/store.ts';
import { getOrCreate } from './get-or-create.ts';
import type { LeaderboardPage } from './leaderboard.ts';
import { matchTerm } from './term-match.ts';

type Params = Omit<LeaderboardPage, 'term'> & { term?: string } & { [T in TierName]?: string };

/** Searches with one statement. Returns the time of the ranking as text, followed by the stored entries of the page. */
export function createSearchBySql(reader: Reader): (page: LeaderboardPage) => Promise<string[]> {
  const { search } = reader.dialect;
  const { tiers: holds } = matchTerm(reader.dialect, ['leaderboard.name', 'leaderboard.address']);
  const statements = new Map<string, Query<Params, string>>();
  const statement = (tiers: readonly Tier[]) => {
    const key = tiers.map(({ candidates }) => candidates ?? '').join(' ');
    return getOrCreate(statements, key, () => reader.prepareColumn(entries(search.page(tiers))));
  };
  const all: Tier = { matches: sql`1 = 1`, candidates: null };

  return (page) => {
    const { term } = page;
    if (term === '') return statement([all])(page);
    const found = searchOf(term);
    const params: Params = { ...page, term };
    const tiers = TIERS.map((name): Tier => {
      const candidates = found[name];
      if (candidates === 'all') return { matches: holds[name], candidates: null };
      params[name] = search.bind(candidates);
      return { matches: holds[name], candidates: name };
    });
    return statement(tiers)(params);
  };
}

/** Entries and time come from one statement, so they are of the same ranking. */
function entries(page: RawBuilder<Found>): BuildQuery<Record<'entry', string>> {
  return (db) => db.selectFrom(sql<Found>`(${page})`.as('page')).select('page.entry');
}
