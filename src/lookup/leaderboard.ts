import { type RawBuilder, sql } from 'kysely';
import { leaderboardBody } from '../contract/bodies.ts';
import { createFinishEntry } from '../contract/leaderboard-entry.ts';
import { searchOf } from '../graph/search-grams.ts';
import { param } from '../store/prepare.ts';
import type { Found, Tier } from '../store/search-index.ts';
import type { BuildQuery, Query, Reader } from '../store/store.ts';
import type { RankBook, Ranks } from './rank-book.ts';

export interface LeaderboardPage {
  /** Trimmed; empty for the whole leaderboard. */
  readonly term: string;
  readonly limit: number;
  readonly offset: number;
}

type Params = Omit<LeaderboardPage, 'term'> & { term?: string } & { [T in (typeof TIERS)[number]]?: string };

/** How well accounts match, best first. */
const TIERS = ['equal', 'start', 'within'] as const;

/** The leaderboard, or those of its accounts whose name or address holds a term. */
export function createLeaderboardLookup(
  reader: Reader,
  rankBook: RankBook,
): (page: LeaderboardPage) => Promise<string> {
  const { search } = reader.dialect;
  const holds = tierConditions(reader);
  const statements = new Map<string, Query<Params, string>>();
  const statement = (tiers: readonly Tier[]) => {
    const key = tiers.map(({ suspects }) => suspects ?? '').join(' ');
    let query = statements.get(key);
    if (query === undefined) statements.set(key, (query = reader.prepareColumn(entries(search.page(tiers)))));
    return query;
  };
  const whole = reader.prepareColumn<Params, string>(entries(search.page([{ holds: sql`1 = 1`, suspects: null }])));

  function ask(page: LeaderboardPage): Promise<string[]> {
    const term = page.term.toLowerCase();
    if (term === '') return whole(page);
    const found = searchOf(term);
    const params: Params = { ...page, term };
    const tiers = TIERS.map((name): Tier => {
      const suspects = found[name];
      if (suspects === 'everybody') return { holds: holds[name], suspects: null };
      params[name] = search.bind(suspects);
      return { holds: holds[name], suspects: name };
    });
    return statement(tiers)(params);
  }

  let making: Making | undefined;
  return async (page) => {
    const { found, ranks, madeAt } = await rankBook.with(async () => {
      const [time, ...found] = await ask(page);
      return { madeAt: Number(time), found };
    });
    if (making?.ranks !== ranks) making = createMaking(ranks, madeAt);
    return leaderboardBody(making.time, found.map(making.finish));
  };
}

/** What all entries of one making share. */
interface Making {
  readonly ranks: Ranks;
  readonly time: string;
  readonly finish: (kept: string) => string;
}

function createMaking(ranks: Ranks, madeAt: number): Making {
  const time = new Date(madeAt).toISOString();
  return { ranks, time, finish: createFinishEntry(ranks, time) };
}

/** One statement: the entries are of the very moment that the time is of. */
function entries(page: RawBuilder<Found>): BuildQuery<Record<'entry', string>> {
  return (db) => db.selectFrom(sql<Found>`(${page})`.as('page')).select('page.entry');
}

/** Equal first, then those that begin with the term, then the rest. */
function tierConditions({ dialect }: Reader): Record<(typeof TIERS)[number], RawBuilder<boolean>> {
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
