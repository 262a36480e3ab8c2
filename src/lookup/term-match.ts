import { type RawBuilder, sql } from 'kysely';
import type { TierName } from '../graph/search-grams.ts';
import type { Dialect } from '../store/dialect.ts';
import { param } from '../store/prepare.ts';

/** How a name and an address match the parameter `term`, see `tierOf`. */
export interface TermMatch {
  /** One condition for each tier; none of them overlap. */
  readonly tiers: Readonly<Record<TierName, RawBuilder<boolean>>>;
  /** Whether it matches at all. */
  readonly any: RawBuilder<boolean>;
  /** The number of the tier of a match, best first. */
  readonly tier: RawBuilder<number>;
}

/** `name` and `address` are names of columns in lower case. */
export function matchTerm(dialect: Dialect, { name, address }: { name: string; address: string }): TermMatch {
  const term = param<string>('term');
  const positionIn = (column: string) => sql`${sql.raw(dialect.indexOf)}(${sql.ref(column)}, ${term})`;
  const isEqual = sql<boolean>`(${sql.ref(name)} = ${term} or ${sql.ref(address)} = ${term})`;
  const begins = sql<boolean>`(${positionIn(name)} = 1 or ${positionIn(address)} = 1)`;
  return {
    tiers: {
      equal: isEqual,
      start: sql`${begins} and not ${isEqual}`,
      within: sql`not ${begins} and (${positionIn(name)} > 1 or ${positionIn(address)} > 1)`,
    },
    any: sql`(${positionIn(name)} > 0 or ${positionIn(address)} > 0)`,
    tier: sql`case when ${isEqual} then 0 when ${begins} then 1 else 2 end`,
  };
}
