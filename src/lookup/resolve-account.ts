import type { NameSource } from '../names/name-source.ts';
import { normaliseName } from '../names/normalise-name.ts';
import { parseAddress } from '../protocol/hex.ts';
import { type AccountRef, unknownName } from './account-ref.ts';

/** What a client calls an account: an address, or a name in its normal form. */
export type AccountReference = Extract<AccountRef, { kind: 'account' | 'name' }>;

/** Null when `text` is neither an address nor a name. */
export function parseAccountReference(text: string): AccountReference | null {
  const account = parseAddress(text);
  if (account !== null) return { kind: 'account', account };
  const name = normaliseName(text);
  return name === null ? null : { kind: 'name', name };
}

/**
 * Has a live source tell who holds a name, for it must be judged whether what is stored is fresh enough. Where there is
 * no source, a name stays one, and is looked up in the statement that answers.
 */
export function createResolveAccount(
  names: NameSource | null,
  options: { fresh: boolean },
): (ref: AccountRef) => Promise<AccountRef> {
  return async (ref) => {
    if (names === null || ref.kind !== 'name') return ref;
    const account = await names.addressOf(ref.name, options);
    if (account === null) throw unknownName(ref.name);
    return { kind: 'account', account };
  };
}
