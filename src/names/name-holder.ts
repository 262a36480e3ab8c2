import type { UnixMs } from '../async/unix-time.ts';
import type { Address } from '../protocol/hex.ts';
import { holderOfName } from '../store/holder-of-name.ts';
import { statement } from '../store/statement.ts';
import type { Reader } from '../store/store.ts';

/** The account whose stored profile has a name as its primary name. */
export interface Holder {
  readonly address: Address;
  readonly fresh: UnixMs;
}

const HOLDER = statement<{ name: string }, Holder>((db) =>
  holderOfName(db).select((eb) => [eb.ref('address').$castTo<Address>().as('address'), 'fresh']),
);

export async function readHolder(reader: Reader, name: string): Promise<Holder | null> {
  return (await reader.all(HOLDER, { name }))[0] ?? null;
}
