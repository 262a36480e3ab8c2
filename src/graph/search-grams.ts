/**
 * Pieces of names and addresses by which the leaderboard is searched. Their first letter tells what they are:
 *
 *     n  one to six characters of the name, from anywhere      h  three or four digits of the address, from anywhere
 *     s  its first one to eight characters                     a  its first one to four digits
 *     e  all of it, or its beginning if it is long
 *
 * An index of them finds whoever may match a term; whether they do is seen by looking at the name and the address.
 */
export const NAME_GRAM = 6;
/** Longer, so that what most people type is one gram, and nobody has to be looked at in vain. */
const NAME_START = 8;
const ADDRESS_GRAM = 4;
/** A term of fewer digits is in so many addresses that looking at everybody in turn finds them sooner. */
const LEAST_ADDRESS_GRAM = 3;
const LONGEST_WHOLE = 100;
/** More of them leave hardly fewer to look at, and each takes time to find. */
const MOST_GRAMS = 3;

/** Sets of grams: whoever has all of one of them. */
export type GramSets = readonly (readonly string[])[];

/** Whom to look at for a match. */
export type Suspects = 'everybody' | GramSets;

/** How well accounts match, best first: they are the term, begin with it, or hold it further on. */
export const TIERS = ['equal', 'start', 'within'] as const;
export type TierName = (typeof TIERS)[number];

/** Whom to look at for each tier. Those of the last are also the others, as far as names go. */
export type Search = Readonly<Record<TierName, Suspects>>;

/** How well an account matches; null if it does not. All in lower case. */
export function tierOf(term: string, address: string, name: string): TierName | null {
  if (name === term || address === term) return 'equal';
  if (name.startsWith(term) || address.startsWith(term)) return 'start';
  return name.includes(term) || address.includes(term) ? 'within' : null;
}

/** Whether there can be an address that holds `term`, which is in lower case. */
export function isPartOfAddress(term: string): boolean {
  return /^(?:0?x)?[0-9a-f]*$/.test(term);
}

/** The grams of an account, apart from one another by spaces. `name` is in lower case. */
export function gramsOf(address: string, name: string): string {
  const grams = new Set<string>();
  const digits = address.slice(2);
  for (let length = LEAST_ADDRESS_GRAM; length <= ADDRESS_GRAM; length++) {
    for (let at = 0; at + length <= digits.length; at++) grams.add(`h${digits.slice(at, at + length)}`);
  }
  for (let length = 1; length <= ADDRESS_GRAM; length++) grams.add(`a${digits.slice(0, length)}`);
  if (name !== '') {
    const characters = charactersOf(name);
    for (let length = 1; length <= NAME_GRAM; length++) {
      for (let at = 0; at + length <= characters.length; at++) grams.add(`n${piece(characters, at, length)}`);
    }
    for (let length = 1; length <= NAME_START; length++) grams.add(`s${piece(characters, 0, length)}`);
    grams.add(`e${piece(characters, 0, LONGEST_WHOLE)}`);
  }
  return [...grams].join(' ');
}

/** Finds out whom to look at for `term`, which is not empty and in lower case. */
export function searchOf(term: string): Search {
  const characters = charactersOf(term);
  const startOfName = [
    `s${piece(characters, 0, NAME_START)}`,
    ...(characters.length > NAME_START ? cover('n', characters, NAME_GRAM) : []),
  ];
  const startOfAddress = addressBegins(term, '0x');
  const isAddress = term.length === 42 && typeof startOfAddress !== 'boolean';
  return {
    equal: anyOf([`e${piece(characters, 0, LONGEST_WHOLE)}`], isAddress ? startOfAddress : false),
    start: anyOf(startOfName, startOfAddress),
    within: anyOf(cover('n', characters, NAME_GRAM), addressHolds(term)),
  };
}

/** Whether addresses match: as good as all of them, none, or those that have these grams. */
type Match = boolean | readonly string[];

function anyOf(name: readonly string[], address: Match): Suspects {
  if (address === true) return 'everybody';
  return address === false ? [name] : [name, address];
}

/** Whether addresses begin with `term`, if they are written as `mark` and their digits. */
function addressBegins(term: string, mark: string): Match {
  if (mark.startsWith(term)) return true;
  const digits = term.slice(mark.length);
  if (!term.startsWith(mark) || !isHex(digits)) return false;
  return [
    `a${digits.slice(0, ADDRESS_GRAM)}`,
    ...(digits.length > ADDRESS_GRAM ? cover('h', [...digits], ADDRESS_GRAM) : []),
  ];
}

/** Whether addresses hold `term` further on than at their beginning. */
function addressHolds(term: string): Match {
  if (term.startsWith('x')) return addressBegins(term, 'x');
  if (!isHex(term)) return false;
  return term.length < LEAST_ADDRESS_GRAM ? true : cover('h', [...term], ADDRESS_GRAM);
}

function isHex(text: string): boolean {
  return /^[0-9a-f]{1,40}$/.test(text);
}

/** A few grams that hold the characters, none longer than `length`: longer ones are rarer. */
function cover(kind: 'n' | 'h', characters: readonly string[], length: number): string[] {
  const grams = [];
  for (let at = 0; at < characters.length && grams.length < MOST_GRAMS; at += length) {
    grams.push(kind + piece(characters, Math.max(0, Math.min(at, characters.length - length)), length));
  }
  return grams;
}

function piece(characters: readonly string[], start: number, length: number): string {
  return characters.slice(start, start + length).join('');
}

/** Characters that would end a gram, or mean something in a query, are moved to where nobody uses them. */
function charactersOf(text: string): string[] {
  // Nearly all terms: without a look at each character, a search takes 3 % less.
  if (/^[0-9a-z]*$/.test(text)) return text.split('');
  return Array.from(text, (character) =>
    /[\0-/:-`{-\x7f]/.test(character) ? String.fromCharCode(0xe000 + character.charCodeAt(0)) : character,
  );
}
