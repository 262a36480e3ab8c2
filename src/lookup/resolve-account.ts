import type { NameSource } from '../names/name-source.ts';
import { normaliseName } from '../names/normalise-name.ts';
import { type Address, parseAddress } from '../protocol/hex.ts';
import { ProblemError } from './problem.ts';

/** What a client calls an account: an address, or a name in its normal form. */
export type AccountReference =
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'name'; readonly name: string };

/** Null when `text` is neither an address nor a name. */
export function parseAccountReference(text: string): AccountReference | null {
  const address = parseAddress(text);
  if (address !== null) return { kind: 'address', address };
  const name = normaliseName(text);
  return name === null ? null : { kind: 'name', name };
}

/** Any address is an account; a name is one only if somebody holds it. */
export function createResolveAccount(
  names: NameSource,
  options: { fresh: boolean },
): (reference: AccountReference) => Promise<Address> {
  return async (reference) => {
    if (reference.kind === 'address') return reference.address;
    const address = await names.addressOf(reference.name, options);
    if (address === null) throw new ProblemError('unknown-name', `nobody holds the name ${reference.name}`);
    return address;
  };
}
