import { type RawBuilder, sql } from 'kysely';
import { searchOf, TIERS, type TierName } from '../graph/search-grams.ts';
import { param } from '../store/prepare.ts';
import type { Found, Tier } from '../store/search-index.ts';
import type { BuildQuery, Query, Reader } from '../store/store.ts';
import type { LeaderboardPage } from './leaderboard.ts';

type Params = Omit<LeaderboardPage, 'term'> & { term?: string } & { [T in TierName]?: string };

/** Searches with one statement. Returns the time of the ranking as text, followed by the stored entries of the page. */
export function createSearchBySql(reader: Reader): (page: LeaderboardPage) => Promise<string[]> {
  const { search } = reader.dialect;
  const holds = tierConditions(reader);
  const statements = new Map<string, Query<Params, string>>();
  const statement = (tiers: readonly Tier[]) => {
    const key = tiers.map(({ candidates }) => candidates ?? '').join(' ');
    let query = statements.get(key);
    if (query === undefined) statements.set(key, (query = reader.prepareColumn(entries(search.page(tiers)))));
    return query;
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

/** Conditions of the tiers: equal to the term, starting with it, containing it. */
function tierConditions({ dialect }: Reader): Record<TierName, RawBuilder<boolean>> {
  const term = param<string>('term');
  const indexIn = (column: string) => sql`${sql.raw(dialect.indexOf)}(${sql.ref(`leaderboard.${column}`)}, ${term})`;
  const isEqual = sql<boolean>`(leaderboard.name = ${term} or leaderboard.address = ${term})`;
  const begins = sql<boolean>`(${indexIn('name')} = 1 or ${indexIn('address')} = 1)`;
  return {
    equal: isEqual,
    start: sql`${begins} and not ${isEqual}`,
    within: sql`not ${begins} and (${indexIn('name')} > 1 or ${indexIn('address')} > 1)`,
  };
}
