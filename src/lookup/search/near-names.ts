import { guessedPart, isNear } from '../../graph/search-term.ts';
import { textGrams } from './gram-filter.ts';
import { END_OF_NAME, type Leaf } from './leaf.ts';

const DOT = 46;
/** A code point has at most four bytes, and two are swapped at most. */
const MAX_DIFFERENCE = 8;
const ASCII = 128;

/** Returns the indexes of the names in a leaf that are near a term. Bytes are compared first, without any allocation. */
export function createGuess(term: string): (leaf: Leaf) => number[] {
  const text = Buffer.from(term);
  const [first = 0, second = 0] = text;
  const isWhole = term.includes('.');
  const grams = gramsNear(term);
  const isAscii = first < ASCII && second < ASCII;
  return (leaf) => {
    const found: number[] = [];
    if (!grams.some((some) => leaf.nameFilter.mayHave(some))) return found;
    const { names, starts, size } = leaf;
    for (let i = 0; i < size; i++) {
      const start = starts[i] ?? 0;
      const one = names[start] ?? 0;
      const two = names[start + 1] ?? 0;
      // One of the first two letters is in both texts.
      const mayBegin = one === first || one === second || two === first || two === second;
      if (!mayBegin && isAscii && one < ASCII && two < ASCII) continue;
      const last = (starts[i + 1] ?? 0) - 1;
      const longest = Math.min(last, start + text.length + MAX_DIFFERENCE + 1);
      let end = isWhole ? last : start;
      while (end < longest && names[end] !== DOT) end += 1;
      if (Math.abs(end - start - text.length) > MAX_DIFFERENCE) continue;
      if (isNearBytes(text, names, start, end) ?? isNear(term, guessedPart(term, leaf.nameOf(i)))) found.push(i);
    }
    return found;
  };
}

/** A name that is near a term has all grams of one of these sets: one half of the term is in it, or two letters are swapped between. */
function gramsNear(term: string): number[][] {
  const letters = [...term];
  const middle = letters.length >> 1;
  const end = Buffer.of(END_OF_NAME);
  const bytes = (from: number, to?: number) => Buffer.from(letters.slice(from, to).join(''));
  const begin = (to: number) => textGrams(Buffer.concat([end, bytes(0, to)]));
  const rest = (from: number) => [Buffer.of(DOT), end].map((after) => textGrams(Buffer.concat([bytes(from), after])));
  return [begin(middle), ...rest(middle), ...rest(middle + 1).map((some) => [...begin(middle - 1), ...some])];
}

/** Whether a name, from `start` to `end`, is near a text; null if that depends on the code points. */
function isNearBytes(text: Buffer, names: Buffer, start: number, end: number): boolean | null {
  let from = 0;
  const shorter = Math.min(text.length, end - start);
  while (from < shorter && text[from] === names[start + from]) from += 1;
  let to = text.length;
  let other = end;
  while (to > from && other > start + from && text[to - 1] === names[other - 1]) {
    to -= 1;
    other -= 1;
  }
  const left = to - from;
  const right = other - start - from;
  if (left <= 1 && right <= 1) return left + right > 0;
  if (left > MAX_DIFFERENCE || right > MAX_DIFFERENCE) return false;
  for (let i = from; i < to; i++) if ((text[i] ?? 0) >= ASCII) return null;
  for (let i = start + from; i < other; i++) if ((names[i] ?? 0) >= ASCII) return null;
  const isSwap = text[from] === names[start + from + 1] && text[from + 1] === names[start + from];
  return left === 2 && right === 2 && isSwap;
}
