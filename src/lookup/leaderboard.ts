import { type SelectQueryBuilder, sql } from 'kysely';
import { leaderboardBody } from '../contract/bodies.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { Tables } from '../store/schema.ts';
import type { BuildQuery, ReadBuilder, Reader } from '../store/store.ts';

export interface LeaderboardPage {
  /** Trimmed; empty for the whole leaderboard. */
  readonly term: string;
  readonly limit: number;
  readonly offset: number;
}

/** The answer's time comes with its entries, so that both are of the same making; without entries, alone. */
interface Ranked {
  made_at: number;
  entry: string | null;
}

/** The leaderboard, or those of its accounts whose name or address holds a term. */
export function createLeaderboardLookup(reader: Reader): (page: LeaderboardPage) => Promise<string> {
  const whole = reader.prepare<LeaderboardPage, Ranked>(datedPage(wholeBoard));
  const matching = reader.prepare<LeaderboardPage, Ranked>(datedPage(matchingBoard(reader)));
  return async (page) => {
    const term = page.term.toLowerCase();
    const ranked = await (term === '' ? whole(page) : matching({ ...page, term }));
    const entries = ranked.map(({ entry }) => entry).filter((entry) => entry !== null);
    return leaderboardBody(new Date(ranked[0]?.made_at ?? 0).toISOString(), entries);
  };
}

type Page = (db: ReadBuilder) => SelectQueryBuilder<Tables, 'leaderboard', Placed>;

/** `tier` tells how well an entry matches; `position` is its place on the board. */
interface Placed {
  entry: string;
  tier: number;
  position: number;
}

function datedPage(page: Page): BuildQuery<Ranked> {
  return (db) =>
    db
      .selectFrom('state')
      .leftJoin(page(db).as('page'), (join) => join.onTrue())
      .select(['state.value as made_at', 'page.entry'])
      .where('state.key', '=', 'ranks_made_at')
      .orderBy('page.tier')
      .orderBy('page.position');
}

const wholeBoard: Page = (db) =>
  db
    .selectFrom('leaderboard')
    .select(['entry', sql.lit(0).as('tier'), 'position'])
    .orderBy('position')
    .limit(rowCount('limit'))
    .offset(rowCount('offset'));

/** Equal first, then those that begin with the term, then the rest, each in the order of the board. */
function matchingBoard({ dialect }: Reader): Page {
  const term = param<string>('term');
  const inName = sql<number>`${sql.raw(dialect.indexOf)}(name, ${term})`;
  const inAddress = sql<number>`${sql.raw(dialect.indexOf)}(address, ${term})`;
  return (db) =>
    db
      .selectFrom('leaderboard')
      .select((eb) => [
        'entry',
        eb
          .case()
          .when(eb.or([eb('name', '=', term), eb('address', '=', term)]))
          .then(sql.lit(0))
          .when(eb.or([eb(inName, '=', 1), eb(inAddress, '=', 1)]))
          .then(sql.lit(1))
          .else(sql.lit(2))
          .end()
          .as('tier'),
        'position',
      ])
      .where((eb) => eb.or([eb(inName, '>', 0), eb(inAddress, '>', 0)]))
      .orderBy('tier')
      .orderBy('position')
      .limit(rowCount('limit'))
      .offset(rowCount('offset'));
}
