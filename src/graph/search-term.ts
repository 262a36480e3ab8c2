/**
 * The groups of a search, in order: name or address equal to the term; name that starts with it; name that contains it;
 * address that starts with it, with or without `0x`; address that contains it.
 */
export const GROUPS = 5;
export type Group = 0 | 1 | 2 | 3 | 4;

/** The first group that an account is in, all in lower case; null if it does not match. */
export function groupOf(term: string, name: string, address: string): Group | null {
  if (name === term || address === term) return 0;
  if (name.startsWith(term)) return 1;
  if (name.includes(term)) return 2;
  if (address.startsWith(term) || address.startsWith(term, 2)) return 3;
  return address.includes(term) ? 4 : null;
}

/** How addresses match a term. */
export interface AddressMatch {
  /** In lower case, without `0x`. */
  readonly digits: string;
  /** The group of an address whose digits start with these. */
  readonly group: Group;
  /** Whether addresses that have them elsewhere match too. */
  readonly isAnywhere: boolean;
}

const HEX = /^[0-9a-f]{1,40}$/;
const PREFIXED = /^(0?x)([0-9a-f]{0,40})$/;
const ADDRESS_DIGITS = 40;

/** Null for a term in lower case that is no part of any address. */
export function addressMatchOf(term: string): AddressMatch | null {
  // Every address starts with it.
  if (term === '0') return { digits: '', group: 3, isAnywhere: false };
  if (HEX.test(term)) return { digits: term, group: 3, isAnywhere: true };
  const [, prefix, digits] = PREFIXED.exec(term) ?? [];
  if (prefix === undefined || digits === undefined) return null;
  const group = prefix === 'x' ? 4 : digits.length === ADDRESS_DIGITS ? 0 : 3;
  return { digits, group, isAnywhere: false };
}

/** Shorter terms are near too many names. */
const MIN_GUESSED = 4;

export const isGuessable = (term: string): boolean => [...term].length >= MIN_GUESSED;

/** Whether two different texts differ in one wrong, missing, additional or swapped letter. */
export function isNear(one: string, other: string): boolean {
  const [a, b] = [[...one], [...other]];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return left.length + right.length > 0;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

/** The part of a name that guesses for a term are compared with: its first label, or all of it if the term has a dot. */
export function guessedPart(term: string, name: string): string {
  return term.includes('.') ? name : (name.split('.', 1)[0] ?? '');
}
