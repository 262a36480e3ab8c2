import { normaliseName } from '../../names/normalise-name.ts';
import type { NameResolver } from '../../names/on-demand/name-resolver.ts';
import { parseAddress } from '../../protocol/hex.ts';
import { ProblemError } from '../problem.ts';
import type { AccountParameter, AccountRef } from './account-ref.ts';

/** Null if `text` is neither an address nor a valid name. */
export function parseAccountParameter(text: string): AccountParameter | null {
  const account = parseAddress(text);
  if (account !== null) return { kind: 'account', account };
  const name = normaliseName(text);
  return name === null ? null : { kind: 'name', name };
}

/**
 * Resolves names with the name source, which decides whether a stored address is fresh enough. Without a source a name
 * is returned as it is, and resolved by the statement that reads the response.
 */
export function createResolveAccount(
  names: NameResolver | null,
  options: { fresh: boolean },
): (ref: AccountRef) => Promise<AccountRef> {
  return async (ref) => {
    if (names === null || ref.kind !== 'name') return ref;
    const account = await names.addressOf(ref.name, options);
    if (account === null) throw new ProblemError('unknown-name', `no account holds the name ${ref.name}`);
    return { kind: 'account', account };
  };
}
