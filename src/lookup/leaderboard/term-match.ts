import { type RawBuilder, sql } from 'kysely';
import type { TierName } from '../../graph/search-grams.ts';
import type { Dialect } from '../../store/dialect.ts';
import { param } from '../../store/params.ts';

/** How a row matches the parameter `term`: equal to it, starting with it, or containing it. */
export interface TermMatch {
  /** One condition for each tier; none of them overlap. */
  readonly tiers: Readonly<Record<TierName, RawBuilder<boolean>>>;
  /** Whether it matches at all. */
  readonly any: RawBuilder<boolean>;
  /** The number of the tier of a match, best first. */
  readonly tier: RawBuilder<number>;
}

/** The columns hold texts in lower case, and no null; a row is in the best tier of any of them. */
export function matchTerm(dialect: Dialect, columns: readonly RawBuilder<string>[]): TermMatch {
  const term = param<string>('term');
  const positionIn = (column: RawBuilder<string>) => sql`${sql.raw(dialect.indexOf)}(${column}, ${term})`;
  const oneOf = (condition: (column: RawBuilder<string>) => RawBuilder<unknown>) =>
    sql<boolean>`(${sql.join(columns.map(condition), sql` or `)})`;
  const isEqual = oneOf((column) => sql`${column} = ${term}`);
  // A third cheaper than a second search for the position.
  const begins = oneOf((column) => sql`substr(${column}, 1, length(${term})) = ${term}`);
  return {
    tiers: {
      equal: isEqual,
      start: sql`${begins} and not ${isEqual}`,
      within: sql`not ${begins} and ${oneOf((column) => sql`${positionIn(column)} > 1`)}`,
    },
    any: oneOf((column) => sql`${positionIn(column)} > 0`),
    tier: sql`case when not ${begins} then 2 when ${isEqual} then 0 else 1 end`,
  };
}
