import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressMatchOf, type Group, groupOf, guessedPart, isGuessable, isNear } from '../../src/graph/search-term.ts';
import { isSimilar } from '../model/naive-similar.ts';

const ADDRESS = `0x00ab${'0'.repeat(35)}c`;
const hexDigits = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength, maxLength }).map((digits) => digits.join(''));
const letters = fc.array(fc.constantFrom(...'abcd.é🚀'), { maxLength: 8 }).map((all) => all.join(''));

describe('groupOf', () => {
  it.each<[term: string, name: string, group: Group | null]>([
    ['ann.eth', 'ann.eth', 0],
    [ADDRESS, 'ann.eth', 0],
    ['ann', 'ann.eth', 1],
    ['ab', 'abby.eth', 1],
    ['nn', 'ann.eth', 2],
    ['0x00ab', '', 3],
    ['00ab', '', 3],
    ['00ab', 'x00ab.eth', 2],
    ['ab', '', 4],
    ['x00', '', 4],
    ['0x', '', 3],
    ['zz', 'ann.eth', null],
    ['%', 'ann.eth', null],
  ])('puts an account for the term %s and the name %j into group %s', (term, name, group) => {
    expect(groupOf(term, name, ADDRESS)).toBe(group);
  });
});

describe('addressMatchOf', () => {
  it('agrees with groupOf for an account without a name', () => {
    const part = fc.tuple(fc.nat(41), fc.integer({ min: 1, max: 42 }));
    fc.assert(
      fc.property(hexDigits(40, 40), part, (digits, [start, length]) => {
        const address = `0x${digits}`;
        const term = address.slice(start, start + length);
        const match = addressMatchOf(term);
        const group = groupOf(term, '', address);
        if (match === null || group === null) return expect(match).toBe(group);
        const found = digits.startsWith(match.digits) ? match.group : match.isAnywhere ? 4 : null;
        expect({ term, found }).toEqual({ term, found: group });
      }),
    );
  });

  it.each(['g', '0xg', 'xx', '00x', 'ax', 'a.', '0x ', 'a'.repeat(41)])('is null for %j', (term) => {
    expect(addressMatchOf(term)).toBeNull();
  });
});

describe('isNear', () => {
  it('finds what an edit distance of one finds', () => {
    const pair = fc.tuple(letters, letters);
    fc.assert(
      fc.property(pair, ([term, name]) => {
        fc.pre(term !== '' && guessedPart(term, name) !== '');
        expect({ term, name, isNear: isNear(term, guessedPart(term, name)) }).toMatchObject({
          isNear: isSimilar(term, name),
        });
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['vitlaik', 'vitalik'],
    ['vitalk', 'vitalik'],
    ['vitaliik', 'vitalik'],
    ['vitalic', 'vitalik'],
    ['vitälik', 'vitalik'],
  ])('is true for %s and %s', (one, other) => {
    expect([isNear(one, other), isNear(other, one)]).toEqual([true, true]);
  });
});

it('guesses for terms of at least four letters, however many bytes these have', () => {
  expect(['שלו', '👩🚀👧', 'abc', 'abcd', '🚀🚀🚀🚀'].map(isGuessable)).toEqual([false, false, false, true, true]);
});
