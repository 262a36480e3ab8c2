import { type RawBuilder, sql } from 'kysely';
import type { LeaderboardBody } from '../../contract/schemas.ts';
import { TIERS, type TierName } from '../../graph/search-grams.ts';
import type { Dialect } from '../../store/dialect.ts';
import { param } from '../../store/params.ts';
import { END, type Tier } from '../../store/search-index.ts';
import { columns, optional, type Select, select, statement, statements, withQueries } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { PAGE, type Page, type PageBody } from '../page.ts';
import { type Member, readEntries, readRanked } from './members.ts';
import { countsIn, type RankBook, selectRanked } from './rank-book.ts';

export interface LeaderboardPage extends Page {
  /** Trimmed; empty for the whole leaderboard. */
  readonly term: string;
}

type Params = Page & { term: string } & { [T in TierName]: string };

const { address } = columns('accounts', 'found');
const { name, avatar, header } = optional('profiles', 'found');
/** What the search index selects of a member. */
const MEMBER = { ...countsIn(columns('leaderboard', 'found')), address, name, avatar, header };

/** The flags tell for which tiers the index has candidates. */
const pageOf = statements((...indexed: boolean[]) =>
  statement<Params>()((_db, dialect) => selectRanked(matchingMembers(dialect, indexed))),
);

/** The members of all tiers, best tier first, each in the order of the leaderboard. */
function matchingMembers(dialect: Dialect, indexed: readonly boolean[]): Select<Member> {
  const { tiers } = matchTerm(dialect, [sql`coalesce(profiles.search_name, '')`, sql`accounts.address`]);
  const tables = TIERS.map((name) => sql.table(`${name}_members`));
  const found = TIERS.map((name, number) => {
    const better = tables.slice(0, number).map((table) => sql`(select count(*) from ${table})`);
    // A tier is read only if the better ones do not fill the page: its candidates may all be in those, and many.
    const limit =
      number === 0 ? END : sql<number>`(case when ${sql.join(better, sql` + `)} < ${END} then ${END} else 0 end)`;
    const tier: Tier = { name, isIndexed: indexed[number] ?? false, matches: tiers[name], limit };
    return [`${name}_members`, dialect.search.members(tier)];
  });
  const parts = tables.map((table, number) => sql`select ${sql.lit(number)} as tier, * from ${table}`);
  const page = select(
    MEMBER,
    sql`from (${sql.join(parts, sql` union all `)}) as found order by tier, followers desc, address_key ${PAGE}`,
  );
  return withQueries(Object.fromEntries(found), page, sql`materialized`);
}

/** The leaderboard, or its members whose name or address contains a term. */
export async function readLeaderboard(
  reader: Reader,
  rankBook: RankBook,
  { term: given, limit, offset }: LeaderboardPage,
): Promise<PageBody<LeaderboardBody>> {
  if (given === '') return readRanked(reader, rankBook, { sort: 'followers', direction: 'desc', limit, offset });
  const term = given.toLowerCase();
  const { search } = reader.dialect;
  const candidates = TIERS.map((tier) => search.candidates(term, tier));
  const [equal, start, within] = candidates.map((text) => text ?? '') as [string, string, string];
  const query = pageOf(...candidates.map((text) => text !== null));
  return readEntries(reader, rankBook, query, { term, limit, offset, equal, start, within });
}

export type TermMatch = ReturnType<typeof matchTerm>;

/**
 * How a row matches the parameter `term`: equal to it, starting with it, or containing it. The columns hold texts in lower
 * case, and no null.
 */
export function matchTerm(dialect: Dialect, columns: readonly RawBuilder<string>[]) {
  const term = param<string>('term');
  const positionIn = (column: RawBuilder<string>) => sql`${sql.raw(dialect.indexOf)}(${column}, ${term})`;
  const oneOf = (condition: (column: RawBuilder<string>) => RawBuilder<unknown>) =>
    sql<boolean>`(${sql.join(columns.map(condition), sql` or `)})`;
  const isEqual = oneOf((column) => sql`${column} = ${term}`);
  // A third cheaper than a second search for the position.
  const begins = oneOf((column) => sql`substr(${column}, 1, length(${term})) = ${term}`);
  return {
    /** One condition for each tier; none of them overlap. A row is in the best tier of any of the columns. */
    tiers: {
      equal: isEqual,
      start: sql<boolean>`${begins} and not ${isEqual}`,
      within: sql<boolean>`not ${begins} and ${oneOf((column) => sql`${positionIn(column)} > 1`)}`,
    },
    /** Whether it matches at all. */
    any: oneOf((column) => sql`${positionIn(column)} > 0`),
    /** The number of the tier of a match, best first. */
    tier: sql<number>`case when not ${begins} then 2 when ${isEqual} then 0 else 1 end`,
  };
}
