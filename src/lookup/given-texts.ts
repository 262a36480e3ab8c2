import { type AliasedRawBuilder, sql } from 'kysely';
import type { Dialect } from '../store/dialect.ts';
import { param } from '../store/prepare.ts';

/** The strings of a parameter that is a JSON array, as the table `given` with the column `text`. */
export function givenTexts(dialect: Dialect, name: string): AliasedRawBuilder<{ text: string }, 'given'> {
  return sql<{ text: string }>`${dialect.textsOf(param(name))}`.as('given');
}
