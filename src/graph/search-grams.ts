/**
 * Grams: substrings of names and addresses that the leaderboard is indexed by. The first letter is their kind:
 *
 *     n  1 to 6 characters from anywhere in the name      h  3 or 4 digits from anywhere in the address
 *     s  the first 1 to 8 characters of the name          a  the first 1 to 4 digits of the address
 *     e  the whole name, or the start of a long one
 *
 * The index finds candidates for a term; name and address then decide whether they match.
 */
const NAME_GRAM = 6;
/** Longer, so that most terms are one gram and every candidate matches. */
const NAME_START = 8;
const ADDRESS_GRAM = 4;
/** Fewer digits are in so many addresses that scanning the leaderboard finds a page sooner. */
const MIN_ADDRESS_GRAM = 3;
const MAX_WHOLE_NAME = 100;
/** More grams hardly narrow the candidates, and each takes time to look up. */
const MAX_GRAMS = 3;

/** Matches accounts that have all grams of at least one of the sets. */
type GramSets = readonly (readonly string[])[];

/** The accounts that may match. */
export type Candidates = 'all' | GramSets;

/** No gram is of this kind. */
const NONE: GramSets = [['z']];

/** How an account matches, best first: equal to the term, starting with it, or containing it. */
export const TIERS = ['equal', 'start', 'within'] as const;
export type TierName = (typeof TIERS)[number];

/** The candidates of each tier. */
export type Search = Readonly<Record<TierName, Candidates>>;

/** Whether an address can contain `term`, which is in lower case. */
export function isPartOfAddress(term: string): boolean {
  return /^(?:0?x)?[0-9a-f]*$/.test(term);
}

/** The grams of an account, separated by spaces. `name` is in lower case. */
export function gramsOf(address: string, name: string): string {
  const grams = new Set<string>();
  const digits = address.slice(2);
  for (let length = MIN_ADDRESS_GRAM; length <= ADDRESS_GRAM; length++) {
    for (let at = 0; at + length <= digits.length; at++) grams.add(`h${digits.slice(at, at + length)}`);
  }
  for (let length = 1; length <= ADDRESS_GRAM; length++) grams.add(`a${digits.slice(0, length)}`);
  if (name !== '') {
    const characters = charactersOf(name);
    for (let length = 1; length <= NAME_GRAM; length++) {
      for (let at = 0; at + length <= characters.length; at++) grams.add(`n${piece(characters, at, length)}`);
    }
    for (let length = 1; length <= NAME_START; length++) grams.add(`s${piece(characters, 0, length)}`);
    grams.add(`e${piece(characters, 0, MAX_WHOLE_NAME)}`);
  }
  return [...grams].join(' ');
}

/** The candidates for `term`, which is not empty and in lower case. */
export function searchOf(term: string): Search {
  const characters = charactersOf(term);
  const startOfName = [
    `s${piece(characters, 0, NAME_START)}`,
    ...(characters.length > NAME_START ? cover('n', characters, NAME_GRAM) : []),
  ];
  const startOfAddress = addressStarts(term, '0x');
  const isAddress = term.length === 42 && typeof startOfAddress !== 'boolean';
  return {
    equal: anyOf([`e${piece(characters, 0, MAX_WHOLE_NAME)}`], isAddress ? startOfAddress : false),
    start: anyOf(startOfName, startOfAddress),
    // If every address starts with the term, no account is left for this tier.
    within: startOfAddress === true ? NONE : anyOf(cover('n', characters, NAME_GRAM), addressContains(term)),
  };
}

/** Matching addresses: practically all, none, or those that have these grams. */
type Match = boolean | readonly string[];

function anyOf(name: readonly string[], address: Match): Candidates {
  if (address === true) return 'all';
  return address === false ? [name] : [name, address];
}

/** Addresses, written as `prefix` and digits, that start with `term`. */
function addressStarts(term: string, prefix: string): Match {
  if (prefix.startsWith(term)) return true;
  const digits = term.slice(prefix.length);
  if (!term.startsWith(prefix) || !isHex(digits)) return false;
  return [
    `a${digits.slice(0, ADDRESS_GRAM)}`,
    ...(digits.length > ADDRESS_GRAM ? cover('h', [...digits], ADDRESS_GRAM) : []),
  ];
}

/** Addresses that contain `term`, but not at the start. */
function addressContains(term: string): Match {
  if (term.startsWith('x')) return addressStarts(term, 'x');
  if (!isHex(term)) return false;
  return term.length < MIN_ADDRESS_GRAM ? true : cover('h', [...term], ADDRESS_GRAM);
}

function isHex(text: string): boolean {
  return /^[0-9a-f]{1,40}$/.test(text);
}

/** A few grams that cover the characters, as long as possible: longer ones are rarer. */
function cover(kind: 'n' | 'h', characters: readonly string[], length: number): string[] {
  const grams = [];
  for (let at = 0; at < characters.length && grams.length < MAX_GRAMS; at += length) {
    grams.push(kind + piece(characters, Math.max(0, Math.min(at, characters.length - length)), length));
  }
  return grams;
}

function piece(characters: readonly string[], start: number, length: number): string {
  return characters.slice(start, start + length).join('');
}

/** Maps separators and characters of the query syntax to the private use area. */
function charactersOf(text: string): string[] {
  return Array.from(text, (character) =>
    /[\0-/:-`{-\x7f]/.test(character) ? String.fromCharCode(0xe000 + character.charCodeAt(0)) : character,
  );
}
