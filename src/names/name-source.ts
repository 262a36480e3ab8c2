import type { Address } from '../protocol/hex.ts';
import { holderOfName } from '../store/holder-of-name.ts';
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

export function createHolderLookup(reader: Reader): (name: string) => Promise<Holder | null> {
  const holders = reader.prepare<{ name: string }, Holder>((db) =>
    holderOfName(db).select((eb) => [eb.ref('address').$castTo<Address>().as('address'), 'fresh']),
  );
  return async (name) => (await holders({ name }))[0] ?? null;
}
