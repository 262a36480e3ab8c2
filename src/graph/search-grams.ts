/**
 * Pieces of names and addresses by which the leaderboard is searched. Their first letter tells what they are:
 *
 *     n  one to three characters of the name, from anywhere     h  three or four digits of the address, from anywhere
 *     s  its first one to three characters                      a  its first one to four digits
 *     e  all of it, or its beginning if it is long
 *
 * An index of them finds whoever may match a term; whether they do is seen by looking at the name and the address.
 */
const NAME_GRAM = 3;
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

/** Whom to look at for each tier, and for all of them at once. */
export type Search = Readonly<Record<TierName | 'any', Suspects>>;

/** How well an account matches; null if it does not. All in lower case. */
export function tierOf(term: string, address: string, name: string): TierName | null {
  if (name === term || address === term) return 'equal';
  if (name.startsWith(term) || address.startsWith(term)) return 'start';
  return name.includes(term) || address.includes(term) ? 'within' : null;
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
      grams.add(`s${piece(characters, 0, length)}`);
    }
    grams.add(`e${piece(characters, 0, LONGEST_WHOLE)}`);
  }
  return [...grams].join(' ');
}

/** Finds out whom to look at for `term`, which is not empty and in lower case. */
export function searchOf(term: string): Search {
  const characters = charactersOf(term);
  const startOfName = [
    `s${piece(characters, 0, NAME_GRAM)}`,
    ...(characters.length > NAME_GRAM ? cover('n', characters, NAME_GRAM) : []),
  ];
  const startOfAddress = addressBegins(term, '0x');
  const isAddress = term.length === 42 && typeof startOfAddress !== 'boolean';
  const withinName = cover('n', characters, NAME_GRAM);
  const withinAddress = addressHolds(term);
  return {
    equal: anyOf([`e${piece(characters, 0, LONGEST_WHOLE)}`], isAddress ? startOfAddress : false),
    start: anyOf(startOfName, startOfAddress),
    within: anyOf(withinName, withinAddress),
    // A term that addresses begin with is not in them further on, but for the first of all digits.
    any: anyOf(withinName, startOfAddress || withinAddress),
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

/** What almost every name ends with. */
const COMMON_END = charactersOf('.eth').join('');

/**
 * A few grams that hold the characters, none longer than `length`. What almost every name has is left out if there is
 * something else: going through those to find a few took up to 3 ms.
 */
function cover(kind: 'n' | 'h', characters: readonly string[], length: number): string[] {
  const pieces = [];
  for (let at = 0; at < characters.length; at += length) {
    pieces.push(piece(characters, Math.max(0, Math.min(at, characters.length - length)), length));
  }
  const rare = pieces.filter((text) => !COMMON_END.includes(text));
  return (rare.length > 0 ? rare : pieces.slice(0, 1)).slice(0, MOST_GRAMS).map((text) => kind + text);
}

function piece(characters: readonly string[], start: number, length: number): string {
  return characters.slice(start, start + length).join('');
}

/** Characters that would end a gram, or mean something in a query, are moved to where nobody uses them. */
function charactersOf(text: string): string[] {
  return Array.from(text, (character) =>
    /[\0-/:-`{-\x7f]/.test(character) ? String.fromCharCode(0xe000 + character.charCodeAt(0)) : character,
  );
}
