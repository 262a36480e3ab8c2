import { sql } from 'kysely';
import type { Address } from '../protocol/hex.ts';
import { param } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';

/** Finds who holds a name. A source that cannot tell throws; null means that nobody does. */
export interface NameSource {
  /** `fresh` asks the source again, whatever is remembered. */
  addressOf(name: string, options: { fresh: boolean }): Promise<Address | null>;
}

/** Who holds a name as far as stored profiles tell, and when that was fetched. */
export interface Holder {
  readonly address: Address;
  readonly fresh: number;
}

/** Of two that claim a name, the one fetched last holds it. */
export function createHolderLookup(reader: Reader): (name: string) => Promise<Holder | null> {
  const holders = reader.prepare<{ name: string }, Holder>((db) =>
    db
      .selectFrom('profiles')
      .select((eb) => [eb.ref('address').$castTo<Address>().as('address'), 'fresh'])
      .where('name', '=', param<string>('name'))
      .where('name', '<>', sql.lit(''))
      .orderBy('fresh', 'desc')
      .orderBy('address')
      .limit(1),
  );
  return async (name) => (await holders({ name }))[0] ?? null;
}

/** Answers from the profiles that are stored, however old. */
export function createStoredNames(reader: Reader): NameSource {
  const holderOf = createHolderLookup(reader);
  return { addressOf: async (name) => (await holderOf(name))?.address ?? null };
}
