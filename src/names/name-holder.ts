import type { UnixMs } from '../async/unix-time.ts';
import type { Address } from '../protocol/hex.ts';
import { holderOfName } from '../store/holder-of-name.ts';
import type { Reader } from '../store/store.ts';

/** The account whose stored profile has a name as its primary name. */
export interface Holder {
  readonly address: Address;
  readonly fresh: UnixMs;
}

export function createHolderLookup(reader: Reader): (name: string) => Promise<Holder | null> {
  const holders = reader.prepare<{ name: string }, Holder>((db) =>
    holderOfName(db).select((eb) => [eb.ref('address').$castTo<Address>().as('address'), 'fresh']),
  );
  return async (name) => (await holders({ name }))[0] ?? null;
}
