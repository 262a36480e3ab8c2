import { normaliseName } from '../names/normalise-name.ts';
import type { NameResolver } from '../names/on-demand/name-resolver.ts';
import { parseAddress } from '../protocol/hex.ts';
import { type Subject, unknownName } from './subject.ts';

/** What a client calls an account: an address, or a name in its normal form. */
export type AccountReference = Extract<Subject, { kind: 'account' | 'name' }>;

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
  names: NameResolver | null,
  options: { fresh: boolean },
): (subject: Subject) => Promise<Subject> {
  return async (subject) => {
    if (names === null || subject.kind !== 'name') return subject;
    const account = await names.addressOf(subject.name, options);
    if (account === null) throw unknownName(subject.name);
    return { kind: 'account', account };
  };
}
