import { type RawBuilder, sql } from 'kysely';
import type { LeaderboardBody } from '../../contract/schemas.ts';
import { TIERS, type TierName } from '../../graph/search-grams.ts';
import type { Dialect } from '../../store/dialect.ts';
import { END, type Tier } from '../../store/search-index.ts';
import { selectRows, statement, statements } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { PAGE, type Page } from '../page.ts';
import { MEMBER, type MemberRow, readEntries } from './members.ts';
import { type RankBook, type Ranked, selectRanked } from './rank-book.ts';
import { readRanked } from './ranked.ts';
import { matchTerm } from './term-match.ts';

export interface LeaderboardPage extends Page {
  /** Trimmed; empty for the whole leaderboard. */
  readonly term: string;
}

type Params = Page & { term: string } & { [T in TierName]: string };

/** The flags tell for which tiers the index has candidates. */
const pageOf = statements((...indexed: boolean[]) =>
  statement<Params, Ranked<MemberRow>>((db, dialect) =>
    selectRows(db, selectRanked(matchingMembers(dialect, indexed))),
  ),
);

/** The members of all tiers, best tier first, each in the order of the leaderboard. */
function matchingMembers(dialect: Dialect, indexed: readonly boolean[]): RawBuilder<unknown> {
  const { tiers } = matchTerm(dialect, [sql`coalesce(profiles.search_name, '')`, sql`accounts.address`]);
  const tables = TIERS.map((name) => sql.table(`${name}_members`));
  const found = TIERS.map((name, number) => {
    const better = tables.slice(0, number).map((table) => sql`(select count(*) from ${table})`);
    // A tier is read only if the better ones do not fill the page: its candidates may all be in those, and many.
    const limit =
      number === 0 ? END : sql<number>`(case when ${sql.join(better, sql` + `)} < ${END} then ${END} else 0 end)`;
    const tier: Tier = { name, isIndexed: indexed[number] ?? false, matches: tiers[name], limit };
    return sql`${tables[number]} as materialized (${dialect.search.members(tier)})`;
  });
  const parts = tables.map((table, number) => sql`select ${sql.lit(number)} as tier, * from ${table}`);
  return sql`with ${sql.join(found)} select ${MEMBER} from (${sql.join(parts, sql` union all `)}) as found
    order by tier, followers desc, address_key ${PAGE}`;
}

/** The leaderboard, or its members whose name or address contains a term. */
export async function readLeaderboard(
  reader: Reader,
  rankBook: RankBook,
  { term: given, limit, offset }: LeaderboardPage,
): Promise<LeaderboardBody> {
  if (given === '') return readRanked(reader, rankBook, { sort: 'followers', direction: 'desc', limit, offset });
  const term = given.toLowerCase();
  const { search } = reader.dialect;
  const candidates = TIERS.map((tier) => search.candidates(term, tier));
  const [equal, start, within] = candidates.map((text) => text ?? '') as [string, string, string];
  const query = pageOf(...candidates.map((text) => text !== null));
  return readEntries(reader, rankBook, query, { term, limit, offset, equal, start, within });
}
