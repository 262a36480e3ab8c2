import { sql } from 'kysely';
import type { Address } from '../protocol/hex.ts';
import { param } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';

/** Finds who holds a name. A source that cannot tell throws; null means that nobody does. */
export interface NameSource {
  addressOf(name: string): Promise<Address | null>;
}

/** Answers from the profiles that are stored. Of two that claim a name, the one fetched last holds it. */
export function createStoredNames(reader: Reader): NameSource {
  const holders = reader.prepareColumn<{ name: string }, Address>((db) =>
    db
      .selectFrom('profiles')
      .select('address')
      .where('name', '=', param<string>('name'))
      .where('name', '<>', sql.lit(''))
      .orderBy('fresh', 'desc')
      .orderBy('address')
      .limit(1),
  );
  return { addressOf: async (name) => (await holders({ name }))[0] ?? null };
}
