import type { TimeSlices } from '../../async/time-slices.ts';
import {
  type AddressMatch,
  addressMatchOf,
  GROUPS,
  type Group,
  groupOf,
  isGuessable,
} from '../../graph/search-term.ts';
import { indexesStartingWith, indexesWithDigits, startsWithDigits } from './digits.ts';
import { digitGrams, textGrams } from './gram-filter.ts';
import { END_OF_NAME, LEAF_PLACES, type Leaf } from './leaf.ts';
import { createGuess } from './near-names.ts';

export interface Query {
  /** In lower case, not empty. */
  readonly term: string;
  readonly limit: number;
  readonly offset: number;
  /** Whether to add names that are near the term if no name starts with it. */
  readonly guess: boolean;
}

export interface FoundMember {
  readonly account: number;
  readonly isGuess: boolean;
}

/** A page of the members that match a term: group by group, in the order of the leaderboard. */
export async function findMembers(
  leaves: readonly Leaf[],
  { term, limit, offset, guess }: Query,
  slices: TimeSlices,
): Promise<FoundMember[]> {
  const wanted = offset + limit;
  const text = Buffer.from(term);
  const groups: number[][] = Array.from({ length: GROUPS }, () => []);
  /** How many matches are in the groups before this one, and in it. */
  const count = (upTo: Group) => groups.slice(0, upTo + 1).reduce((sum, { length }) => sum + length, 0);
  const add = (group: Group, leaf: number, i: number) => groups[group]?.push(leaf * LEAF_PLACES + i);
  const eachLeaf = async (visit: (leaf: Leaf, position: number) => void, isDone = () => false) => {
    for (let i = 0; i < leaves.length && !isDone(); i++) {
      visit(leaves[i] as Leaf, i);
      if (slices.isOver()) await slices.next();
    }
  };
  const end = Buffer.of(END_OF_NAME);
  const grams = {
    within: textGrams(text),
    start: textGrams(Buffer.concat([end, text])),
    equal: textGrams(Buffer.concat([end, text, end])),
  };
  const isFull = (group: Group) => count(group) >= wanted;
  await eachLeaf((leaf, position) => {
    if (!isFull(2)) {
      if (leaf.nameFilter.mayHave(grams.within))
        findNames(leaf, text, (group, i) => (group < 2 || !isFull(2) ? add(group, position, i) : 0));
    } else if (leaf.nameFilter.mayHave(isFull(1) ? grams.equal : grams.start))
      findStarts(leaf, text, (group, i) => (group === 0 || !isFull(1) ? add(group, position, i) : 0));
  });

  const hasName = (leaf: Leaf, i: number) => leaf.names.subarray(leaf.startOf(i), leaf.endOf(i)).includes(text);
  const addresses = addressMatchOf(term);
  if (addresses?.group === 0) await addEqualAddress(addresses);
  const guesses: number[] = [];
  if (guess && isGuessable(term) && count(1) === 0) {
    const indexesNear = createGuess(term);
    await eachLeaf(
      (leaf, position) => {
        for (const i of indexesNear(leaf))
          if (groupOf(term, leaf.nameOf(i), leaf.addressOf(i)) === null) guesses.push(position * LEAF_PLACES + i);
      },
      () => count(2) + guesses.length >= wanted,
    );
  }
  const isComplete = () => count(4) + guesses.length >= wanted;
  /** Matches by address that are in no group of names. */
  const addAddress = (group: Group, position: number, leaf: Leaf, i: number) => {
    if (!isComplete() && !hasName(leaf, i)) add(group, position, i);
  };
  if (addresses !== null && addresses.group !== 0) {
    const { digits, group, isAnywhere } = addresses;
    const grams = digitGrams(digits);
    await eachLeaf((leaf, position) => {
      if (!leaf.addressFilter.mayHave(grams)) return;
      for (const i of indexesStartingWith(leaf.addresses, digits)) addAddress(group, position, leaf, i);
    }, isComplete);
    if (isAnywhere)
      await eachLeaf((leaf, position) => {
        if (!leaf.addressFilter.mayHave(grams)) return;
        for (const i of indexesWithDigits(leaf.addresses, digits))
          if (!startsWithDigits(leaf.addresses, i, digits)) addAddress(4, position, leaf, i);
      }, isComplete);
  }
  const [equal = [], start = [], within = [], ...others] = groups;
  const places = equal.concat(start, within, guesses, ...others);
  const firstGuess = count(2);
  return places.slice(offset, wanted).map((place, i) => {
    const leaf = leaves[Math.floor(place / LEAF_PLACES)] as Leaf;
    const after = offset + i - firstGuess;
    return { account: leaf.accounts[place % LEAF_PLACES] ?? 0, isGuess: after >= 0 && after < guesses.length };
  });

  /** The account with an address leaves the groups of names for the first one. */
  async function addEqualAddress({ digits }: AddressMatch): Promise<void> {
    const grams = digitGrams(digits);
    await eachLeaf((leaf, position) => {
      if (!leaf.addressFilter.mayHave(grams)) return;
      for (const i of indexesStartingWith(leaf.addresses, digits)) {
        for (const [group, places] of groups.entries())
          groups[group] = places.filter((place) => place !== position * LEAF_PLACES + i);
        add(0, position, i);
      }
    });
    groups[0]?.sort((a, b) => a - b);
  }
}

type Visit = (group: Group, index: number) => unknown;

/** All names that contain a text. */
function findNames(leaf: Leaf, text: Buffer, visit: Visit): void {
  const { names } = leaf;
  for (let at = names.indexOf(text); at !== -1; ) {
    const i = leaf.indexAt(at);
    const [start, end] = [leaf.startOf(i), leaf.endOf(i)];
    visit(at > start ? 2 : end - start === text.length ? 0 : 1, i);
    at = names.indexOf(text, end);
  }
}

/** Names that start with a text: faster for a frequent one. */
function findStarts({ names, starts, size }: Leaf, text: Buffer, visit: Visit): void {
  const { length } = text;
  const first = text[0];
  for (let i = 0; i < size; i++) {
    const start = starts[i] ?? 0;
    if (names[start] !== first) continue;
    const longer = (starts[i + 1] ?? 0) - 1 - start - length;
    if (longer >= 0 && names.compare(text, 0, length, start, start + length) === 0) visit(longer === 0 ? 0 : 1, i);
  }
}
